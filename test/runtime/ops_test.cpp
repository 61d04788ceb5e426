// Collectives that programs call.
#include "models.h"

#include <map>

namespace accel_test {
namespace {

TEST(Reduce, AddsAveragesAndFindsTheLargest) {
  run_in({1, 2, 3}, [] {
    accel::Accelerator accelerator;
    const double n = processes();
    for (const int64_t count : {3, 3000}) { // in one message, and too large for it
      const auto mine = torch::full({count}, rank() + 1.0, torch::kFloat);
      EXPECT_TRUE(torch::allclose(accelerator.reduce(mine),
                                  torch::full({count}, n * (n + 1) / 2, torch::kFloat)));
      EXPECT_TRUE(torch::allclose(accelerator.reduce(mine, accel::Mean),
                                  torch::full({count}, (n + 1) / 2, torch::kFloat)));
      EXPECT_TRUE(torch::allclose(accelerator.reduce(mine, accel::Max),
                                  torch::full({count}, n, torch::kFloat)));
      EXPECT_TRUE(torch::equal(mine, torch::full({count}, rank() + 1.0, torch::kFloat)));
    }
  });
}

TEST(Reduce, TakesEveryKindOfNumber) {
  run_in({1, 2, 3}, [] {
    accel::Accelerator accelerator;
    const int n = processes();
    EXPECT_EQ(accelerator.reduce(1), n);
    EXPECT_EQ(accelerator.reduce(size_t{2}), 2 * static_cast<size_t>(n));
    EXPECT_EQ(accelerator.reduce(int64_t{1} << 40), (int64_t{1} << 40) * n);
    EXPECT_DOUBLE_EQ(accelerator.reduce(0.1), 0.1 * n);
    EXPECT_FLOAT_EQ(accelerator.reduce(0.5F, accel::Mean), 0.5F);
    EXPECT_EQ(accelerator.reduce(rank(), accel::Max), n - 1);
    EXPECT_EQ(accelerator.reduce(rank() == 0), true);
  });
}

TEST(Reduce, TakesEveryDtype) {
  run_in({2, 3}, [] {
    accel::Accelerator accelerator;
    for (const auto dtype : {torch::kHalf, torch::kBFloat16, torch::kInt, torch::kLong,
                             torch::kByte, torch::kShort, torch::kDouble, torch::kComplexFloat}) {
      for (const int64_t count : {2, 2000}) {
        const auto ones = torch::ones({count}, torch::kFloat).to(dtype);
        const auto sum = accelerator.reduce(ones);
        EXPECT_EQ(sum.scalar_type(), dtype);
        EXPECT_TRUE(torch::equal(sum, ones * processes())) << dtype;
      }
    }
    const auto any = accelerator.reduce(torch::full({2000}, rank() == 0, torch::kBool));
    EXPECT_TRUE(any.all().item<bool>());
  });
}

TEST(Gather, IsInTheOrderOfTheProcesses) {
  run_in({1, 2, 3}, [] {
    accel::Accelerator accelerator;
    const auto all = accelerator.gather(torch::full({2, 2}, rank(), torch::kLong));
    ASSERT_EQ(all.size(0), 2 * processes());
    for (int64_t row = 0; row < all.size(0); ++row) {
      EXPECT_EQ(all[row][1].item<int64_t>(), row / 2);
    }
    EXPECT_EQ(accelerator.gather(torch::tensor(1.5)).sizes(), torch::IntArrayRef({processes()}));
    // Shares of different lengths.
    const auto uneven = accelerator.gather(torch::full({rank() + 1}, rank(), torch::kBFloat16));
    EXPECT_EQ(uneven.size(0), processes() * (processes() + 1) / 2);
    EXPECT_EQ(uneven[0].item<float>(), 0);
    EXPECT_EQ(uneven[-1].item<float>(), processes() - 1);
  });
}

TEST(Gather, TakesEveryDtypeEmptyAndStridedTensors) {
  run_in({1, 2}, [] {
    const accel::Accelerator accelerator;
    const int n = processes();
    for (const auto dtype :
         {torch::kHalf, torch::kBFloat16, torch::kInt, torch::kBool, torch::kComplexFloat}) {
      const auto mine = torch::ones({2, 3}).to(dtype);
      const auto all = accelerator.gather(mine);
      EXPECT_EQ(all.scalar_type(), dtype);
      EXPECT_TRUE(torch::equal(all, torch::ones({2 * n, 3}).to(dtype))) << dtype;
      EXPECT_TRUE(torch::equal(accelerator.broadcast(mine), mine)) << dtype;
      const auto large = torch::ones({200}).to(dtype);
      EXPECT_TRUE(torch::equal(accelerator.broadcast(large, n - 1), large)) << dtype;
    }
    EXPECT_EQ(accelerator.gather(torch::empty({0, 3})).sizes(), torch::IntArrayRef({0, 3}));
    EXPECT_EQ(accelerator.gather(torch::ones({rank() == 0 ? 2 : 0})).size(0), 2);
    EXPECT_EQ(accelerator.reduce(torch::empty({0})).numel(), 0);
    EXPECT_EQ(accelerator.broadcast(torch::empty({2, 0})).numel(), 0);
    const auto transposed = torch::arange(6).view({2, 3}).t();
    EXPECT_TRUE(torch::equal(accelerator.gather(transposed).narrow(0, 0, 3), transposed));
    EXPECT_TRUE(torch::equal(accelerator.broadcast(transposed), transposed));
    const auto complex = torch::complex(torch::ones({2}), torch::ones({2}));
    const auto conjugate = accelerator.gather(torch::conj(complex));
    EXPECT_EQ(torch::imag(conjugate.resolve_conj()).sum().item<float>(), -2 * n);
  });
}

TEST(Mismatch, OfStructureAndOfWhatCannotBeTakenIsAnErrorEverywhere) {
  run_in({2, 3}, [] {
    const accel::Accelerator accelerator;
    const auto one = torch::ones({1});
    expect_error(
        [&] { accelerator.gather(std::vector<torch::Tensor>(static_cast<size_t>(rank()), one)); },
        {"different type or structure", "(tensor 1 of 0)"});
    expect_error(
        [&] {
          accelerator.reduce(
              std::map<std::string, torch::Tensor>{{"key" + std::to_string(rank()), one}});
        },
        {"different type or structure"});
    expect_error([&] { accelerator.gather(rank() == 0 ? torch::Tensor() : one); },
                 {"process 0: gather of an undefined tensor", "process 1: gather of Float [1]"});
    expect_error([&] { accelerator.reduce(rank() == 0 ? torch::eye(2).to_sparse() : one); },
                 {"process 0: reduce(sum) of Float [2, 2], which is not a dense tensor"});
    expect_error([&] { accelerator.reduce(torch::tensor({1, 2}), accel::Mean); },
                 {"reduce(mean) of Long [2], which is not a dtype"});
    expect_error([&] { accelerator.broadcast(one, rank()); },
                 {"process 1: broadcast of Float [1] from process 1"});
    expect_error([&] { accelerator.broadcast(torch::ones({1 + rank()})); },
                 {"process 1: broadcast of Float [2] from process 0"});
    expect_error(
        [&] {
          accelerator.pad_across_processes(
              torch::ones(std::vector<int64_t>(static_cast<size_t>(rank()) + 1, 1)));
        },
        {"numbers of dimensions", "process 1: pad_across_processes of Float [1, 1]"});
    expect_error([&] { accelerator.broadcast(one, 9); }, {"from 0 to"});
    EXPECT_EQ(accelerator.reduce(1), processes());
  });
}

TEST(Mismatch, OfShapesListsWhatEachProcessPassed) {
  run_in({2, 3}, [] {
    accel::Accelerator accelerator;
    expect_error(
        [&] { accelerator.reduce(torch::ones({2, 3 + rank()})); },
        {"process 0: reduce(sum) of Float [2, 3]", "process 1: reduce(sum) of Float [2, 4]"});
    // One small, one too large for a message.
    expect_error([&] { accelerator.reduce(torch::ones({2 + rank() * 1000})); },
                 {"process 0: reduce(sum) of Float [2]", "process 1: reduce(sum) of Float [1002]"});
    expect_error([&] { accelerator.gather(torch::ones({2, 3 + rank()})); },
                 {"process 0: gather of Float [2, 3]", "process 1: gather of Float [2, 4]"});
    // The group is usable after that.
    EXPECT_EQ(accelerator.reduce(1), processes());
  });
}

TEST(Mismatch, OfDtypesListsWhatEachProcessPassed) {
  run_in({2}, [] {
    accel::Accelerator accelerator;
    expect_error(
        [&] { accelerator.reduce(torch::ones({500}, rank() == 0 ? torch::kFloat : torch::kInt)); },
        {"process 0: reduce(sum) of Float [500]", "process 1: reduce(sum) of Int [500]"});
  });
}

TEST(Mismatch, OfCollectivesListsWhatEachProcessCalled) {
  run_in({2, 3}, [] {
    accel::Accelerator accelerator;
    expect_error(
        [&] {
          if (rank() == 0) {
            accelerator.wait_for_everyone();
          } else {
            accelerator.gather(torch::ones({2}));
          }
        },
        {"process 0: wait_for_everyone", "process 1: gather of Float [2]"});
  });
}

TEST(Mean, WeighsByRows) {
  run_in({1, 2, 3}, [] {
    accel::Accelerator accelerator(split());
    auto loader = accelerator.make_data_loader<torch::data::samplers::SequentialSampler>(
        stacked(13), torch::data::DataLoaderOptions(5));
    std::vector<double> means;
    double running = 0;
    for (auto& batch : *loader) {
      const auto loss = batch.data.select(1, 0).mean();
      means.push_back(accelerator.mean(loss).item<double>());
      running += accelerator.share(loss).item<double>();
    }
    running = accelerator.reduce(running);
    double expected = 0;
    size_t step = 0;
    auto bare = torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(
        stacked(13), torch::data::DataLoaderOptions(5));
    for (auto& batch : *bare) {
      const double value = batch.data.select(1, 0).mean().item<double>();
      EXPECT_NEAR(means.at(step++), value, 1e-6);
      expected += value;
    }
    EXPECT_NEAR(running, expected, 1e-6);
    // Outside of a loop every process weighs the same.
    EXPECT_NEAR(accelerator.mean(torch::tensor(rank() * 1.0)).item<double>(),
                (processes() - 1) / 2.0, 1e-12);
  });
}

} // namespace
} // namespace accel_test
