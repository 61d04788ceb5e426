// What is written once, and what is called on some processes only.
#include "models.h"

#include <optional>
#include <stdexcept>

namespace accel_test {
namespace {

TEST(Output, IsTheMainProcesssAndEvaluatesItsArgumentsEverywhere) {
  if (is_child()) {
    accel::Accelerator accelerator;
    int evaluated = 0;
    accelerator.cout() << "<cout " << ++evaluated << ">" << std::endl;
    EXPECT_EQ(accelerator.printf("<printf %d>\n", ++evaluated), rank() == 0 ? 11 : 0);
    accelerator.print("<print ", ++evaluated, ">");
    EXPECT_EQ(evaluated, 3);
    return;
  }
  const auto ended = start(2);
  const std::vector<std::string> texts{"<cout 1>", "<printf 2>", "<print 3>"};
  for (const auto& text : texts) {
    EXPECT_NE(ended[0].output.find(text), std::string::npos) << ended[0].output;
    EXPECT_EQ(ended[1].output.find(text), std::string::npos) << ended[1].output;
  }
  EXPECT_EQ(ended[0].code + ended[1].code, 0) << ended[0].output << ended[1].output;
}

TEST(Output, ComesFromTheProcessThatIsNamed) {
  run_in({1, 2, 3}, [] {
    const accel::Accelerator accelerator;
    const int last = processes() - 1;
    const auto number = [] { return rank(); };
    const auto expect_only = [](const std::optional<int>& result, int expected) {
      EXPECT_EQ(result.has_value(), rank() == expected);
      EXPECT_EQ(result.value_or(expected), expected);
    };
    expect_only(accelerator.on_main_process(number), 0);
    expect_only(accelerator.on_local_main_process(number), 0);
    expect_only(accelerator.on_last_process(number), last);
    expect_only(accelerator.on_process(last, number), last);
    expect_only(accelerator.on_local_process(last, number), last);
    EXPECT_FALSE(accelerator.on_process(7, number).has_value());
    int called = 0;
    accelerator.on_main_process([&called] { ++called; });
    EXPECT_EQ(called, rank() == 0 ? 1 : 0);
  });
}

size_t count_of(const std::string& part, const std::string& text) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(Logger, WritesOnTheMainProcessOrOnAllInOrder) {
  if (is_child()) {
    const auto logger = accel::get_logger("train");
    EXPECT_THROW(logger.error("too early"), std::runtime_error);
    const accel::Accelerator accelerator;
    logger.info("below the level");
    logger.warning("once");
    logger.error("everywhere", accel::LogOptions().main_process_only(false));
    logger.info("a level that is dropped", accel::LogOptions().in_order(true));
    logger.critical("in order " + std::to_string(rank()), accel::LogOptions().in_order(true));
    const auto other = accel::get_logger("other", "Debug");
    other.debug("fine");
    EXPECT_TRUE(other.is_enabled_for(accel::LogLevel::Debug));
    EXPECT_THROW(accel::get_logger("other", "loud"), std::runtime_error);
    return;
  }
  for (const int count : {1, 2}) {
    std::string all;
    for (const auto& ended : start(count)) {
      EXPECT_EQ(ended.code, 0) << ended.output;
      all += ended.output;
    }
    EXPECT_EQ(count_of("WARNING:train:once\n", all), 1U) << all;
    EXPECT_EQ(count_of("ERROR:train:everywhere\n", all), static_cast<size_t>(count)) << all;
    EXPECT_EQ(count_of("CRITICAL:train:in order", all), static_cast<size_t>(count)) << all;
    EXPECT_EQ(count_of("DEBUG:other:fine\n", all), 1U) << all;
    EXPECT_EQ(count_of("INFO", all), 0U) << all;
    EXPECT_EQ(count_of("too early", all), 0U) << all;
  }
}

TEST(Logger, TakesItsLevelFromTheEnvironment) {
  run_in({1},
         [] {
           EXPECT_EQ(accel::get_logger("a").level(), accel::LogLevel::Info);
           EXPECT_EQ(accel::get_logger("a", "ERROR").level(), accel::LogLevel::Error);
           setenv("ACCELERATE_LOG_LEVEL", "loud", 1);
           EXPECT_THROW(accel::get_logger("a"), std::runtime_error);
         },
         {{"ACCELERATE_LOG_LEVEL", "info"}});
}

} // namespace
} // namespace accel_test
