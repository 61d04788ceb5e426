// Which rows each process gets, and how they weigh.
#include "models.h"

#include "state/state.h"

#include <fstream>
#include <map>
#include <numeric>
#include <random>
#include <set>

namespace accel_test {
namespace {

namespace data = torch::data;

// A dataset whose examples are the row numbers.
class Numbers : public data::datasets::Dataset<Numbers> {
public:
  explicit Numbers(size_t count) : count_(count) {}
  data::Example<> get(size_t index) override {
    const torch::Tensor row = torch::tensor(static_cast<int64_t>(index));
    return {row, row};
  }
  torch::optional<size_t> size() const override { return count_; }

private:
  size_t count_;
};

// An order that the default generator has no part in, different in every process.
class OwnOrder : public data::samplers::Sampler<> {
public:
  explicit OwnOrder(size_t count) : order_(count) { std::iota(order_.begin(), order_.end(), 0); }
  void reset(torch::optional<size_t> = torch::nullopt) override {
    std::shuffle(order_.begin(), order_.end(), std::mt19937(std::random_device{}()));
    at_ = 0;
  }
  torch::optional<std::vector<size_t>> next(size_t count) override {
    count = std::min(count, order_.size() - at_);
    if (count == 0) {
      return torch::nullopt;
    }
    const auto first = order_.begin() + static_cast<std::ptrdiff_t>(at_);
    at_ += count;
    return std::vector<size_t>(first, first + static_cast<std::ptrdiff_t>(count));
  }
  void save(torch::serialize::OutputArchive&) const override {}
  void load(torch::serialize::InputArchive&) override {}

private:
  std::vector<size_t> order_;
  size_t at_ = 0;
};

template <class Loader> std::vector<std::vector<int64_t>> batches_of(Loader& loader) {
  std::vector<std::vector<int64_t>> batches;
  for (auto& batch : loader) {
    batches.emplace_back();
    for (const auto& example : batch) {
      batches.back().push_back(example.data.template item<int64_t>());
    }
  }
  return batches;
}

accel::Share current() {
  return accel::detail::State::get({})->current_share();
}

// Every row once, all processes the same number of rounds, weights that add up to one.
template <class Sampler>
void expect_every_row_once(bool split_batches, size_t count, size_t batch_size, size_t workers,
                           bool drop_last) {
  accel::Accelerator accelerator(accel::AcceleratorOptions().split_batches(split_batches));
  auto options = data::DataLoaderOptions(batch_size).workers(workers).drop_last(drop_last);
  auto loader = accelerator.make_data_loader<Sampler>(Numbers(count), options);
  for (int epoch = 0; epoch < 2; ++epoch) {
    auto seen = torch::zeros({static_cast<int64_t>(count)}, torch::kLong);
    int rounds = 0;
    for (auto& batch : *loader) {
      ++rounds;
      if (processes() > 1) {
        EXPECT_EQ(current().local_rows, static_cast<int64_t>(batch.size()));
      }
      EXPECT_NEAR(accelerator.reduce(current().fraction()), 1.0, 1e-12);
      if (!current().repeated) {
        for (const auto& example : batch) {
          seen[example.data.template item<int64_t>()] += 1;
        }
      }
    }
    const size_t full = count / batch_size;
    const size_t batches = drop_last ? full : (count + batch_size - 1) / batch_size;
    const size_t in_round = split_batches ? 1 : static_cast<size_t>(processes());
    // drop_last: every process has a whole batch in every round.
    const size_t whole_rounds =
        drop_last ? batches / in_round : (batches + in_round - 1) / in_round;
    EXPECT_EQ(rounds, static_cast<int>(whole_rounds));
    seen = accelerator.reduce(seen);
    EXPECT_LE(seen.max().item<int64_t>(), 1);
    EXPECT_EQ(seen.sum().item<int64_t>(),
              static_cast<int64_t>(drop_last ? whole_rounds * in_round * batch_size : count));
    EXPECT_EQ(current().local_rows, 1);
  }
}

TEST(Loader, GivesEveryRowOnce) {
  for (const char* split_batches : {"true", "false"}) {
    run_in({1, 2, 3},
           [] {
             const bool split_batches = std::string(std::getenv("ACCEL_SPLIT_BATCHES")) == "true";
             for (const size_t count : {25U, 24U, 2U, 1U}) {
               for (const size_t workers : {0U, 2U}) {
                 expect_every_row_once<data::samplers::RandomSampler>(split_batches, count, 4,
                                                                      workers, false);
               }
               expect_every_row_once<data::samplers::SequentialSampler>(split_batches, count, 4, 0,
                                                                        true);
               expect_every_row_once<OwnOrder>(split_batches, count, 3, 2, false);
             }
           },
           {{"ACCEL_SPLIT_BATCHES", split_batches}});
  }
}

TEST(Loader, SplitOrderIsThatOfOneProcess) {
  run_in({1, 2, 3}, [] {
    accel::Accelerator accelerator(split());
    torch::manual_seed(3);
    auto bare = data::make_data_loader(Numbers(22), 6);
    const auto first = batches_of(*bare);
    const auto second = batches_of(*bare);
    const auto draw = torch::rand({1});
    torch::manual_seed(3);
    auto loader = accelerator.make_data_loader(Numbers(22), 6);
    for (const auto& expected : {first, second}) {
      auto got = batches_of(*loader);
      ASSERT_EQ(got.size(), expected.size());
      for (size_t i = 0; i < got.size(); ++i) {
        auto all = accelerator.gather(torch::tensor(got[i]));
        EXPECT_TRUE(torch::equal(all, torch::tensor(expected[i])));
      }
    }
    // The generator is where the bare loader leaves it.
    EXPECT_TRUE(torch::equal(torch::rand({1}), draw));
  });
}

TEST(Loader, FollowsTheMainProcessWhereSeedsDiffer) {
  run_in({2, 3}, [] {
    accel::Accelerator accelerator;
    torch::manual_seed(static_cast<uint64_t>(rank()));
    auto loader = accelerator.make_data_loader(Numbers(24), 2);
    std::set<int64_t> rows;
    for (const auto& batch : batches_of(*loader)) {
      rows.insert(batch.begin(), batch.end());
    }
    EXPECT_EQ(accelerator.reduce(rows.size()), 24U);
    auto seen = torch::zeros({24});
    for (const auto row : rows) {
      seen[row] = 1;
    }
    EXPECT_TRUE(torch::equal(accelerator.reduce(seen), torch::ones({24})));
  });
}

TEST(Loader, LeavesNothingStaleAfterAnEarlyExit) {
  run_in({2, 3}, [] {
    accel::Accelerator accelerator(split());
    auto loader = accelerator.make_data_loader(Numbers(7), 4);
    for (auto& batch : *loader) {
      (void)batch;
      EXPECT_EQ(current().all_rows, 4);
      break;
    }
    EXPECT_EQ(current().all_rows, processes());
    EXPECT_EQ(batches_of(*loader).size(), 2U);
  });
}

TEST(Loader, InsideAnotherGivesTheShareBack) {
  run_in({2}, [] {
    accel::Accelerator accelerator(split());
    auto outer = accelerator.make_data_loader(Numbers(10), 10);
    auto inner =
        accelerator.make_eval_data_loader<data::samplers::SequentialSampler>(Numbers(6), 2);
    for (auto& batch : *outer) {
      (void)batch;
      EXPECT_EQ(current().all_rows, 10);
      for (auto& other : *inner) {
        (void)other;
        EXPECT_TRUE(current().evaluation);
        EXPECT_THROW(accelerator.wait_for_everyone(), c10::Error);
      }
      EXPECT_EQ(current().all_rows, 10);
    }
  });
}

TEST(Loader, PassesAsTheTypeOfTorch) {
  run_in({2}, [] {
    accel::Accelerator accelerator(split());
    using Loader = data::StatelessDataLoader<Numbers, data::samplers::SequentialSampler>;
    std::unique_ptr<Loader> loader =
        accelerator.make_data_loader<data::samplers::SequentialSampler>(Numbers(5), 4);
    for (auto& batch : *loader) {
      EXPECT_EQ(current().local_rows, static_cast<int64_t>(batch.size()));
    }
    EXPECT_EQ(current().all_rows, processes());
  });
}

TEST(EvaluationLoader, GivesEveryBatchWholeToOneProcess) {
  run_in({1, 2, 3}, [] {
    accel::Accelerator accelerator(split());
    for (const size_t workers : {0U, 2U}) {
      torch::manual_seed(3);
      auto bare = data::make_data_loader(Numbers(23), 4);
      const auto expected = batches_of(*bare);
      torch::manual_seed(3);
      auto loader = accelerator.make_eval_data_loader(Numbers(23),
                                                      data::DataLoaderOptions(4).workers(workers));
      const auto got = batches_of(*loader);
      std::vector<std::vector<int64_t>> mine;
      for (size_t i = static_cast<size_t>(rank()); i < expected.size();
           i += static_cast<size_t>(processes())) {
        mine.push_back(expected[i]);
      }
      EXPECT_EQ(got, mine);
      EXPECT_EQ(accelerator.reduce(got.size()), expected.size());
    }
  });
}

TEST(Placement, ReachesNestedTensorsAndLeavesTheRest) {
  const torch::Device device(torch::kMeta);
  std::tuple<int, std::vector<torch::Tensor>, std::map<std::string, torch::Tensor>> nested{
      3, {torch::ones({2})}, {{"a", torch::ones({1})}}};
  accel::move_to_device(nested, device);
  EXPECT_TRUE(std::get<1>(nested)[0].is_meta());
  EXPECT_TRUE(std::get<2>(nested)["a"].is_meta());
  std::vector<data::Example<>> batch{{torch::ones({1}), torch::Tensor()}};
  accel::move_to_device(batch, device);
  EXPECT_TRUE(batch[0].data.is_meta());
  EXPECT_FALSE(batch[0].target.defined());
  std::pair<torch::optional<torch::Tensor>, data::TensorExample> pair{torch::ones({1}),
                                                                      torch::ones({1})};
  accel::move_to_device(pair, device);
  EXPECT_TRUE(pair.first->is_meta() && pair.second.data.is_meta());
  std::string other = "unchanged";
  accel::move_to_device(other, device);
  EXPECT_EQ(other, "unchanged");
}

} // namespace
} // namespace accel_test
