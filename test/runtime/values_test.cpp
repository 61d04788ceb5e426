// Collectives on whole values, parts of lists, metrics of batches, and going first.
#include "models.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <stdexcept>
#include <tuple>

namespace accel_test {
namespace {

TEST(Collectives, MatchAccelerate) {
  // The numbers of Accelerate's scripts/test_ops.py.
  run_in({1, 2, 3}, [] {
    const accel::Accelerator accelerator;
    const int n = processes();
    const auto mine = torch::arange(n) + 1 + n * rank();
    EXPECT_TRUE(torch::equal(accelerator.gather(mine), torch::arange(n * n) + 1));
    EXPECT_TRUE(torch::equal(accelerator.broadcast(mine), torch::arange(n) + 1));
    const auto padded = accelerator.pad_across_processes(torch::arange(rank() + 1) + 1);
    ASSERT_EQ(padded.size(0), n);
    EXPECT_EQ(padded.sum().item<int64_t>(), (rank() + 1) * (rank() + 2) / 2);
    if (n == 2) {
      EXPECT_TRUE(torch::equal(accelerator.reduce(mine), torch::tensor({4, 6})));
      EXPECT_TRUE(torch::equal(accelerator.reduce(mine, accel::Max), torch::tensor({3, 4})));
      const auto means = accelerator.reduce(mine.to(torch::kFloat), accel::Mean);
      EXPECT_TRUE(torch::equal(means, torch::tensor({2.F, 3.F})));
    }
    EXPECT_TRUE(torch::equal(accelerator.reduce(mine, accel::Reduction::None), mine));
    EXPECT_EQ(accelerator.reduce(5, accel::Reduction::None), 5);
    EXPECT_EQ(accelerator.broadcast(rank() + 0.5, n - 1), n - 0.5);
    EXPECT_FALSE(accelerator.check_trigger());
    if (rank() == n - 1) {
      accelerator.set_trigger();
    }
    EXPECT_TRUE(accelerator.check_trigger());
    EXPECT_FALSE(accelerator.check_trigger());
  });
}

TEST(Pad, TakesAnyDimensionAndEitherEnd) {
  run_in({1, 2, 3}, [] {
    const accel::Accelerator accelerator;
    const int n = processes();
    const auto mine = torch::full({2, rank() + 1}, 5);
    const auto last = accelerator.pad_across_processes(mine, -1, -100);
    EXPECT_EQ(last.sizes(), torch::IntArrayRef({2, n}));
    EXPECT_EQ((last == -100).sum().item<int64_t>(), 2 * (n - 1 - rank()));
    EXPECT_EQ(last[0][0].item<int64_t>(), 5);
    const auto first = accelerator.pad_across_processes(mine, 1, 0, /*pad_first=*/true);
    EXPECT_EQ(first[1][n - 1].item<int64_t>(), 5);
    EXPECT_EQ(first[1][0].item<int64_t>(), rank() == n - 1 ? 5 : 0);
    // A dimension that isn't there.
    EXPECT_EQ(accelerator.pad_across_processes(mine, 4).sizes(), mine.sizes());
    EXPECT_EQ(accelerator.pad_across_processes(torch::tensor(1.0)).dim(), 0);
  });
}

TEST(Nested, ValuesAreGoneThrough) {
  run_in({1, 2}, [] {
    const accel::Accelerator accelerator;
    const int n = processes();
    const auto one = torch::ones({1}) * (rank() + 1);
    using Batch = torch::data::Example<>;
    const auto nested = std::make_tuple(
        Batch(one, one + 1), std::vector<torch::Tensor>{one},
        std::map<std::string, torch::Tensor>{{"a", one}}, std::make_pair(one, torch::Tensor(one)),
        torch::optional<torch::Tensor>(one), std::array<torch::Tensor, 1>{one});
    const auto all = accelerator.gather(nested);
    EXPECT_EQ(std::get<0>(all).target.size(0), n);
    EXPECT_EQ(std::get<2>(all).at("a").sum().item<double>(), n * (n + 1) / 2.0);
    EXPECT_EQ(std::get<4>(all)->size(0), n);
    EXPECT_EQ(std::get<1>(accelerator.reduce(nested))[0].item<double>(), n * (n + 1) / 2.0);
    EXPECT_EQ(std::get<3>(accelerator.broadcast(nested)).second.item<double>(), 1);
    EXPECT_EQ(std::get<5>(accelerator.pad_across_processes(nested))[0].size(0), 1);
    // What was passed is as it was.
    EXPECT_EQ(std::get<0>(nested).data.item<double>(), rank() + 1);
    EXPECT_TRUE(accelerator.gather(std::vector<torch::Tensor>{}).empty());
    const auto doubled = accel::map_tensors(nested, [](const auto& tensor) { return tensor * 2; });
    EXPECT_EQ(std::get<0>(doubled).target.item<double>(), 2 * (rank() + 2));
  });
}

TEST(GatherForMetrics, HasEachRowOfTheDataSetOnce) {
  run_in({1, 2, 3}, [] {
    const accel::Accelerator accelerator;
    for (const size_t count : {size_t{22}, size_t{7}, size_t{2}}) {
      auto loader = accelerator.make_data_loader<torch::data::samplers::SequentialSampler>(
          stacked(count), torch::data::DataLoaderOptions(4));
      std::vector<torch::Tensor> seen;
      std::vector<int64_t> objects;
      for (auto& batch : *loader) {
        const auto all = accelerator.gather_for_metrics(std::make_pair(batch.data, batch.target));
        EXPECT_EQ(all.first.size(0), all.second.size(0));
        seen.push_back(all.first);
        std::vector<int64_t> classes(batch.target.data_ptr<int64_t>(),
                                     batch.target.data_ptr<int64_t>() + batch.target.numel());
        const auto listed = accelerator.gather_for_metrics(classes);
        objects.insert(objects.end(), listed.begin(), listed.end());
        if (processes() > 1) {
          // A loss has no rows that could be counted.
          expect_error([&] { accelerator.gather_for_metrics(batch.data.mean()); },
                       {"gather_for_metrics of Float [], which is not one row for each"});
          expect_error([&] { accelerator.gather_for_metrics(std::vector<int>(99)); },
                       {"99 elements"});
        }
      }
      Rows rows(count);
      std::vector<torch::Tensor> expected;
      for (size_t i = 0; i < count; ++i) {
        expected.push_back(rows.get(i).data);
        ASSERT_LT(i, objects.size());
        EXPECT_EQ(objects[i], static_cast<int64_t>(i % 3));
      }
      EXPECT_EQ(objects.size(), count);
      EXPECT_TRUE(torch::equal(torch::cat(seen), torch::stack(expected))) << count;
    }
    // Outside of a loop it gathers.
    EXPECT_EQ(accelerator.gather_for_metrics(torch::ones({2})).size(0), 2 * processes());
  });
}

TEST(Split, GivesEachProcessItsPart) {
  run_in({1, 2, 3}, [] {
    const accel::Accelerator accelerator;
    const auto n = static_cast<size_t>(processes());
    const auto r = static_cast<size_t>(rank());
    std::vector<int> list(17);
    std::iota(list.begin(), list.end(), 0);
    const size_t begin = r * (17 / n) + std::min(r, 17 % n);
    const size_t length = 17 / n + (r < 17 % n ? 1 : 0);
    const auto mine = accelerator.split_between_processes(list);
    ASSERT_EQ(mine.size(), length);
    EXPECT_EQ(mine.front(), static_cast<int>(begin));
    const auto padded = accelerator.split_between_processes(list, /*apply_padding=*/true);
    EXPECT_EQ(padded.size(), (17 + n - 1) / n);
    EXPECT_EQ(padded.back(), mine.back());
    const auto tensor = accelerator.split_between_processes(torch::arange(17), true);
    EXPECT_EQ(tensor.size(0), static_cast<int64_t>(padded.size()));
    EXPECT_EQ(tensor[-1].item<int64_t>(), mine.back());
    const std::map<std::string, std::vector<int>> map{{"a", list}, {"b", list}};
    EXPECT_EQ(accelerator.split_between_processes(map).at("b"), mine);
    const size_t seen = accelerator.split_between_processes(
        list, [](const std::vector<int>& part) { return part.size(); });
    EXPECT_EQ(seen, length);
    // Fewer elements than processes.
    EXPECT_EQ(accelerator.split_between_processes(std::vector<int>{4}).size(), r == 0 ? 1U : 0U);
    EXPECT_EQ(accelerator.split_between_processes(std::vector<int>{4}, true), std::vector<int>{4});
    EXPECT_TRUE(accelerator.split_between_processes(std::vector<int>{}, true).empty());
    const std::map<std::string, torch::Tensor> uneven{{"a", torch::ones({2})},
                                                      {"b", torch::ones({3})}};
    EXPECT_THROW(accelerator.split_between_processes(uneven), c10::Error);
  });
}

TEST(First, IsTheMainProcess) {
  run_in({1, 2, 3}, [] {
    const accel::Accelerator accelerator;
    const std::string path = shared_folder() + "/made";
    const auto make = [&] {
      if (accelerator.is_main_process()) {
        std::ofstream(path) << "by the main process";
      }
      return std::filesystem::exists(path);
    };
    EXPECT_TRUE(accelerator.main_process_first(make));
    {
      const auto scope = accelerator.local_main_process_first();
      if (accelerator.is_local_main_process()) {
        std::ofstream(path + "2") << "by the first process of the machine";
      }
      EXPECT_TRUE(std::filesystem::exists(path + "2"));
    }
    // A failure of the one that goes first ends the wait of the others.
    const auto fail = [&] {
      if (rank() == 0) {
        throw std::out_of_range("no such file");
      }
    };
    if (rank() == 0) {
      EXPECT_THROW(accelerator.main_process_first(fail), std::out_of_range);
    } else {
      expect_error([&] { accelerator.main_process_first(fail); },
                   {"process 0", "main_process_first", "failed"});
    }
    EXPECT_EQ(accelerator.reduce(1), processes());
  });
}

} // namespace
} // namespace accel_test
