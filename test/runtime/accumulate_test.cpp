// Micro-batches whose gradients make one step, and losses with a divisor of their own.
#include "models.h"

#include <numeric>

namespace accel_test {
namespace {

accel::AcceleratorOptions windows_of(int64_t steps) {
  return accel::AcceleratorOptions().gradient_accumulation_steps(steps);
}

TEST(Accumulation, IsOneStepOnAllRowsOfTheWindow) {
  run_in({1, 2, 3}, [] {
    accel::Accelerator accelerator(windows_of(3));
    Net net = make_net();
    Net bare = make_net();
    accelerator.prepare(net);
    auto optimizer = accelerator.prepare(torch::optim::Adam(net->parameters()));
    auto expected = torch::optim::Adam(bare->parameters());
    for (int window = 0; window < 2; ++window) {
      std::vector<torch::Tensor> whole;
      for (int set = 0; set < 3; ++set) {
        const auto before = copies(net->parameters());
        auto micro_batch = accelerator.accumulate(net);
        EXPECT_EQ(accelerator.sync_gradients(), set == 2);
        whole.push_back(rows(3 * window + set));
        accelerator.backward(loss_on(net, mine(whole.back())));
        const double norm = accelerator.clip_grad_norm_(net->parameters(), 0.01);
        EXPECT_EQ(norm > 0, set == 2);
        optimizer.step();
        optimizer.zero_grad();
        EXPECT_EQ(distance(before, net->parameters()) == 0, set != 2);
      }
      expected.zero_grad();
      loss_on(bare, torch::cat(whole)).backward();
      torch::nn::utils::clip_grad_norm_(bare->parameters(), 0.01);
      expected.step();
      EXPECT_LE(distance(net->parameters(), bare->parameters()), 1e-6);
    }
  });
}

// 22 rows in batches of 4 (the last one of 2), in windows of 4: the second window is short.
void train_in_windows(int workers, bool clear_first = false) {
  accel::Accelerator accelerator(windows_of(4).split_batches(true));
  Net net = make_net();
  Net bare = make_net();
  accelerator.prepare(net);
  auto optimizer = accelerator.prepare(torch::optim::Adam(net->parameters()));
  auto expected = torch::optim::Adam(bare->parameters());
  auto loader = accelerator.make_data_loader<torch::data::samplers::SequentialSampler>(
      stacked(22), torch::data::DataLoaderOptions(4).workers(static_cast<size_t>(workers)));
  int steps = 0;
  for (int epoch = 0; epoch < 2; ++epoch) {
    for (auto& batch : *loader) {
      auto micro_batch = accelerator.accumulate(net);
      if (clear_first) {
        optimizer.zero_grad();
      }
      accelerator.backward(loss_of(net, batch));
      optimizer.step();
      if (!clear_first) {
        optimizer.zero_grad();
      }
      steps += accelerator.sync_gradients() ? 1 : 0;
    }
    auto all = stacked(22);
    for (const size_t begin : {size_t{0}, size_t{16}}) {
      std::vector<size_t> window(begin == 0 ? 16 : 6);
      std::iota(window.begin(), window.end(), begin);
      expected.zero_grad();
      loss_of(bare, all.get_batch(window)).backward();
      expected.step();
    }
    EXPECT_LE(distance(net->parameters(), bare->parameters()), 1e-6);
  }
  EXPECT_EQ(steps, 4);
}

TEST(Accumulation, OfAShortLastWindowIsOneStepOnItsRows) {
  run_in({1, 2, 3}, [] { train_in_windows(0); });
}

TEST(Accumulation, OfAShortLastWindowWithWorkersIsOneStepOnItsRows) {
  run_in({1, 2}, [] { train_in_windows(1); });
}

TEST(Accumulation, IsTheSameWhereGradientsAreClearedBeforeBackward) {
  run_in({1, 2}, [] { train_in_windows(0, /*clear_first=*/true); });
}

// As a GAN does: each optimizer clears, goes backward and steps in turn.
TEST(Accumulation, KeepsTheWindowsOfSeveralOptimizersApart) {
  run_in({1, 2}, [] {
    accel::Accelerator accelerator(windows_of(2));
    Net nets[] = {make_net(1), make_net(2)};
    Net bare[] = {make_net(1), make_net(2)};
    accelerator.prepare(nets[0]);
    accelerator.prepare(nets[1]);
    auto first = accelerator.prepare(plain_sgd(nets[0]->parameters()));
    auto second = accelerator.prepare(plain_sgd(nets[1]->parameters()));
    for (int set = 0; set < 4; ++set) {
      auto micro_batch = accelerator.accumulate();
      first.zero_grad();
      accelerator.backward(loss_on(nets[0], mine(rows(set))));
      first.step();
      second.zero_grad();
      accelerator.backward(loss_on(nets[1], mine(rows(set + 5))));
      second.step();
    }
    for (const int i : {0, 1}) {
      auto expected = plain_sgd(bare[i]->parameters());
      for (const int window : {0, 2}) {
        expected.zero_grad();
        loss_on(bare[i], torch::cat({rows(window + 5 * i), rows(window + 1 + 5 * i)})).backward();
        expected.step();
      }
      EXPECT_LE(distance(nets[i]->parameters(), bare[i]->parameters()), 1e-6);
    }
  });
}

TEST(Accumulation, LeftOpenByAnEarlyExitHoldsNothingBackAfterIt) {
  run_in({1, 2}, [] {
    accel::Accelerator accelerator(windows_of(3).split_batches(true));
    Net net = make_net();
    Net bare = make_net();
    accelerator.prepare(net);
    auto optimizer = accelerator.prepare(plain_sgd(net->parameters()));
    auto loader = accelerator.make_data_loader<torch::data::samplers::SequentialSampler>(
        stacked(12), torch::data::DataLoaderOptions(4));
    for (auto& batch : *loader) {
      auto micro_batch = accelerator.accumulate();
      accelerator.backward(loss_of(net, batch));
      break;
    }
    EXPECT_TRUE(accelerator.sync_gradients());
    auto expected = plain_sgd(bare->parameters());
    loss_on(bare, rows(0)).backward();
    expected.step();
    optimizer.zero_grad();
    accelerator.backward(loss_on(net, mine(rows(0))));
    optimizer.step();
    EXPECT_LE(distance(net->parameters(), bare->parameters()), 1e-6);
  });
}

// Batches of 12 and of 5 rows, cut by shard().
TEST(Accumulation, OfBatchesMadeByHandWeighsByTheirRows) {
  run_in({1, 2, 3}, [] {
    accel::Accelerator accelerator(windows_of(2));
    Net net = make_net();
    Net bare = make_net();
    accelerator.prepare(net);
    auto optimizer = accelerator.prepare(plain_sgd(net->parameters()));
    const std::vector<torch::Tensor> batches{rows(0), rows(1).narrow(0, 0, 5)};
    for (const auto& batch : batches) {
      auto micro_batch = accelerator.accumulate();
      accelerator.backward(loss_on(net, accelerator.shard(batch)));
    }
    loss_on(bare, torch::cat(batches)).backward();
    EXPECT_LE(distance(gradients(net->parameters()), gradients(bare->parameters())), 1e-6);
  });
}

TEST(Accumulation, DropsAWindowThatAnEarlyExitLeftOpen) {
  run_in({1, 2}, [] {
    accel::Accelerator accelerator(windows_of(3).split_batches(true));
    Net net = make_net();
    Net bare = make_net();
    accelerator.prepare(net);
    auto optimizer = accelerator.prepare(plain_sgd(net->parameters()));
    auto loader = accelerator.make_data_loader<torch::data::samplers::SequentialSampler>(
        stacked(12), torch::data::DataLoaderOptions(4));
    for (const int batches : {2, 3}) {
      int seen = 0;
      for (auto& batch : *loader) {
        auto micro_batch = accelerator.accumulate(net);
        accelerator.backward(loss_of(net, batch));
        if (++seen == batches) {
          break;
        }
      }
    }
    std::vector<size_t> all(12);
    std::iota(all.begin(), all.end(), size_t{0});
    loss_of(bare, stacked(12).get_batch(all)).backward();
    EXPECT_LE(distance(gradients(net->parameters()), gradients(bare->parameters())), 1e-6);
  });
}

TEST(Accumulation, WorksForOptimizersOnTheHeapAndSeveralLosses) {
  run_in({1, 2}, [] {
    accel::Accelerator accelerator(windows_of(2));
    Net net = make_net();
    Net bare = make_net();
    accelerator.prepare(net);
    std::unique_ptr<torch::optim::Optimizer> optimizer =
        std::make_unique<torch::optim::SGD>(net->parameters(), 0.1);
    optimizer = accelerator.prepare(std::move(optimizer));
    for (int set = 0; set < 2; ++set) {
      auto micro_batch = accelerator.accumulate();
      accelerator.backward(loss_on(net, mine(rows(set))));
      accelerator.backward(loss_on(net, mine(rows(set + 5))));
      optimizer->step();
    }
    auto expected = plain_sgd(bare->parameters());
    loss_on(bare, torch::cat({rows(0), rows(1)})).backward();
    loss_on(bare, torch::cat({rows(5), rows(6)})).backward();
    expected.step();
    EXPECT_LE(distance(net->parameters(), bare->parameters()), 1e-6);
  });
}

TEST(Accumulation, OfGradientsThatTheProgramClearsIsAnError) {
  run_in({1, 2}, [] {
    accel::Accelerator accelerator(windows_of(2));
    Net net = make_net();
    accelerator.prepare(net);
    auto optimizer = accelerator.prepare(plain_sgd(net->parameters()));
    {
      auto micro_batch = accelerator.accumulate();
      accelerator.backward(loss_on(net, rows(0)));
      net->zero_grad();
    }
    auto micro_batch = accelerator.accumulate();
    try {
      accelerator.backward(loss_on(net, rows(1)));
      FAIL() << "no error";
    } catch (const c10::Error& error) {
      EXPECT_NE(std::string(error.what()).find("cleared inside an accumulation window"),
                std::string::npos);
    }
  });
}

TEST(Accumulation, LengthComesFromTheEnvironmentAndMustNotContradict) {
  run_in({1},
         [] {
           EXPECT_THROW(accel::Accelerator(windows_of(3)), std::runtime_error);
           EXPECT_EQ(accel::Accelerator().gradient_accumulation_steps(), 4);
         },
         {{"ACCELERATE_GRADIENT_ACCUMULATION_STEPS", "4"}});
}

TEST(NoSync, LeavesGradientsToTheNextExchange) {
  run_in({1, 2, 3}, [] {
    Pair pair;
    auto optimizer = pair.accelerator.prepare(plain_sgd(pair.net->parameters()));
    auto expected = plain_sgd(pair.bare->parameters());
    for (const bool trailing : {false, true}) {
      for (int set = 0; set < 3; ++set) {
        loss_on(pair.bare, rows(set)).backward();
        if (set == 1 || (trailing && set == 2)) {
          auto scope = pair.accelerator.no_sync(pair.net);
          pair.accelerator.backward(loss_on(pair.net, mine(rows(set))));
        } else {
          pair.accelerator.backward(loss_on(pair.net, mine(rows(set))));
        }
      }
      optimizer.step(); // with the last gradients not exchanged yet, the second time
      expected.step();
      EXPECT_LE(pair.gradient_distance(), 1e-6);
      EXPECT_LE(distance(pair.net->parameters(), pair.bare->parameters()), 1e-6);
      optimizer.zero_grad();
      expected.zero_grad();
    }
  });
}

TEST(NoSync, CanBeOverriddenForOneBackward) {
  run_in({2}, [] {
    Pair pair;
    auto optimizer = pair.accelerator.prepare(plain_sgd(pair.net->parameters()));
    auto scope = pair.accelerator.no_sync();
    loss_on(pair.bare, rows(0)).backward();
    pair.accelerator.backward(loss_on(pair.net, mine(rows(0))));
    EXPECT_GT(pair.gradient_distance(), 1e-6);
    loss_on(pair.bare, rows(1)).backward();
    pair.accelerator.trigger_sync_in_backward();
    pair.accelerator.backward(loss_on(pair.net, mine(rows(1))));
    EXPECT_LE(pair.gradient_distance(), 1e-6);
  });
}

// A mean over the elements that a mask keeps: not the same number on each process.
struct Masked {
  torch::Tensor input = rows(0);
  torch::Tensor mask = (torch::arange(36) % 5 < 2).view({12, 3}).to(torch::kFloat);
  static torch::Tensor sum(Net& net, const torch::Tensor& input, const torch::Tensor& mask) {
    return (net->forward(input).pow(2) * mask).sum();
  }
};

TEST(LossWithACount, IsDividedByTheCountOfAllProcesses) {
  run_in({1, 2, 3}, [] {
    Pair pair;
    auto optimizer = pair.accelerator.prepare(plain_sgd(pair.net->parameters()));
    const Masked data;
    (Masked::sum(pair.bare, data.input, data.mask) / data.mask.sum()).backward();
    pair.accelerator.backward(Masked::sum(pair.net, mine(data.input), mine(data.mask)),
                              mine(data.mask).sum().item<double>());
    EXPECT_LE(pair.gradient_distance(), 1e-6);
    EXPECT_THROW(pair.accelerator.backward(loss_on(pair.net, rows(0)), 0), c10::Error);
  });
}

TEST(LossWithACount, IsDividedByTheCountOfTheWholeWindow) {
  run_in({1, 2}, [] {
    accel::Accelerator accelerator(windows_of(2));
    Net net = make_net();
    Net bare = make_net();
    accelerator.prepare(net);
    auto optimizer = accelerator.prepare(plain_sgd(net->parameters()));
    const Masked data;
    (Masked::sum(bare, data.input, data.mask) / data.mask.sum()).backward();
    for (const int half : {0, 1}) {
      auto micro_batch = accelerator.accumulate();
      const auto input = mine(data.input.narrow(0, 6 * half, 6));
      const auto mask = mine(data.mask.narrow(0, 6 * half, 6));
      accelerator.backward(Masked::sum(net, input, mask), mask.sum().item<double>());
    }
    EXPECT_LE(distance(gradients(net->parameters()), gradients(bare->parameters())), 1e-6);
  });
}

} // namespace
} // namespace accel_test
