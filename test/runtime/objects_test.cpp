// Values of any type between processes.
#include "models.h"

#include <deque>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

namespace accel_test {

/// Shows its members.
struct Prediction {
  std::string id;
  torch::Tensor logits;
  std::vector<int> classes;
};
template <class Visitor> void visit_fields(Prediction& prediction, Visitor&& visit) {
  visit(prediction.id, prediction.logits, prediction.classes);
}

/// Neither shows its members nor can be copied byte by byte.
class Date {
public:
  Date() = default;
  explicit Date(int day) : text_(std::to_string(day)) {}
  int day() const { return std::stoi(text_); }

private:
  std::string text_;
};

struct Failing {};

} // namespace accel_test

template <> struct accel::Serialiser<accel_test::Date> {
  static void write(ByteWriter& out, const accel_test::Date& date) { out.write(date.day()); }
  static void read(ByteReader& in, accel_test::Date& date) {
    date = accel_test::Date(in.read<int>());
  }
};

template <> struct accel::Serialiser<accel_test::Failing> {
  static void write(ByteWriter&, const accel_test::Failing&) {
    if (accel_test::rank() == 0) {
      throw std::runtime_error("it is on fire");
    }
  }
  static void read(ByteReader&, accel_test::Failing&) {}
};

namespace accel_test {
namespace {

template <class T> T there_and_back(const T& value) {
  return accel::detail::value_of<T>(accel::detail::bytes_of(value));
}

template <class T> void expect_kept(const T& value) {
  EXPECT_EQ(there_and_back(value), value);
}

enum class Colour { Red, Green };
struct Point {
  double x = 0;
  int y = 0;
};
template <class Visitor> void visit_fields(Point& point, Visitor&& visit) {
  visit(point.x, point.y);
}

// Bytes of it might be the address of something.
struct Closed {
  int number = 0;
};

TEST(Object, OfEveryTypeComesBack) {
  expect_kept(7);
  expect_kept(2.5F);
  expect_kept(true);
  expect_kept(Colour::Green);
  expect_kept(std::string("text with \0 inside", 18));
  expect_kept(std::string());
  expect_kept(std::vector<bool>{true, false, true});
  expect_kept(std::vector<std::vector<std::string>>{{"a"}, {}, {"b", "c"}});
  expect_kept(std::array<int, 3>{1, 2, 3});
  expect_kept(std::deque<int>{1, 2});
  expect_kept(std::list<double>{1, 2});
  expect_kept(std::set<std::string>{"x", "y"});
  expect_kept(std::map<std::string, std::pair<int, float>>{{"a", {1, 2.F}}, {"b", {3, 4.F}}});
  expect_kept(std::unordered_map<int, std::string>{{1, "one"}, {2, "two"}});
  expect_kept(std::make_tuple(1, std::string("two"), 3.0));
  expect_kept(std::optional<int>());
  expect_kept(std::optional<std::string>("here"));
  expect_kept(torch::optional<double>(0.5));
  EXPECT_EQ(there_and_back(Point{1.5, 2}).y, 2);
  EXPECT_EQ(there_and_back(Date(31)).day(), 31);
  EXPECT_THROW(there_and_back(Closed{1}), c10::Error);
}

TEST(Object, KeepsTensorsOfEveryKind) {
  for (const auto dtype : {torch::kFloat, torch::kHalf, torch::kBFloat16, torch::kLong,
                           torch::kBool, torch::kComplexFloat}) {
    const auto tensor = torch::ones({2, 3}).to(dtype);
    const auto back = there_and_back(tensor);
    EXPECT_EQ(back.scalar_type(), dtype);
    EXPECT_TRUE(torch::equal(back, tensor));
  }
  EXPECT_FALSE(there_and_back(torch::Tensor()).defined());
  EXPECT_EQ(there_and_back(torch::empty({0, 3})).sizes(), torch::IntArrayRef({0, 3}));
  // A view brings its own elements only.
  const auto column = torch::arange(100000).view({1000, 100}).select(1, 7);
  EXPECT_TRUE(torch::equal(there_and_back(column), column));
  EXPECT_LT(accel::detail::bytes_of(column).size(), 20000U);
  const auto back = there_and_back(Prediction{"p", torch::ones({2}), {1, 2}});
  EXPECT_EQ(back.id, "p");
  EXPECT_EQ(back.classes, (std::vector<int>{1, 2}));
  EXPECT_TRUE(torch::equal(back.logits, torch::ones({2})));
}

TEST(Object, ThatEndsEarlyIsAnError) {
  EXPECT_THROW(accel::detail::value_of<double>(std::string("abc")), c10::Error);
}

TEST(Object, IsGatheredAndBroadcast) {
  run_in({1, 2, 3}, [] {
    const accel::Accelerator accelerator;
    const int n = processes();
    // One that fits a message, and ones that differ in length and don't.
    for (const size_t length : {size_t{3}, size_t{1000}}) {
      const std::string mine(length + static_cast<size_t>(rank()), static_cast<char>('a' + rank()));
      const auto all = accelerator.gather_object(mine);
      ASSERT_EQ(all.size(), static_cast<size_t>(n));
      EXPECT_EQ(all.back(),
                std::string(length + static_cast<size_t>(n) - 1, static_cast<char>('a' + n - 1)));
      EXPECT_EQ(accelerator.broadcast_object(mine), all.front());
      EXPECT_EQ(accelerator.broadcast_object(mine, n - 1), all.back());
    }
    // Lists are joined.
    const auto joined = accelerator.gather_object(
        std::vector<std::string>(static_cast<size_t>(rank()) + 1, std::to_string(rank())));
    ASSERT_EQ(joined.size(), static_cast<size_t>(n * (n + 1) / 2));
    EXPECT_EQ(joined.back(), std::to_string(n - 1));
    const auto predictions = accelerator.gather_object(
        Prediction{"p" + std::to_string(rank()), torch::full({1000}, rank()), {rank()}});
    EXPECT_EQ(predictions.back().id, "p" + std::to_string(n - 1));
    EXPECT_EQ(predictions.back().logits.sum().item<int64_t>(), 1000 * (n - 1));
  });
}

TEST(Object, ThatCannotBeMadeIsAnErrorEverywhere) {
  run_in({2, 3}, [] {
    const accel::Accelerator accelerator;
    expect_error([&] { accelerator.gather_object(Failing()); },
                 {"process 0: gather_object, which threw: it is on fire"});
    expect_error([&] { accelerator.broadcast_object(Failing()); }, {"it is on fire"});
    expect_error(
        [&] {
          if (rank() == 0) {
            accelerator.gather_object(1);
          } else {
            accelerator.gather_object(1.0);
          }
        },
        {"different type or structure"});
    expect_error([&] { accelerator.broadcast_object(1, rank()); },
                 {"process 0: broadcast_object from process 0",
                  "process 1: broadcast_object from process 1"});
    expect_error([&] { accelerator.broadcast_object(1, 7); }, {"from 0 to"});
    EXPECT_EQ(accelerator.reduce(1), processes());
  });
}

} // namespace
} // namespace accel_test
