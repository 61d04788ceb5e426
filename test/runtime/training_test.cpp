// Promise: the numbers of one process, on any number of them.
#include "models.h"

namespace accel_test {
namespace {

using Closure = torch::optim::Optimizer::LossClosure;
constexpr size_t batch_size = 8;

// One process, without accel. 25 rows: three full batches and one of a single row.
template <class MakeOptimizer>
std::vector<double> bare_training(Net& net, size_t rows, int epochs, MakeOptimizer make) {
  std::vector<double> losses;
  auto optimizer = make(net->parameters());
  torch::manual_seed(7);
  auto loader = torch::data::make_data_loader(stacked(rows), batch_size);
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (auto& batch : *loader) {
      const Closure closure = [&] {
        optimizer.zero_grad();
        auto loss = loss_of(net, batch);
        loss.backward();
        return loss;
      };
      if constexpr (std::is_same_v<decltype(optimizer), torch::optim::LBFGS>) {
        losses.push_back(optimizer.step(closure).template item<double>());
      } else {
        losses.push_back(closure().template item<double>());
        optimizer.step();
      }
    }
  }
  return losses;
}

template <class MakeOptimizer>
std::vector<double> accelerated_training(Net& net, size_t rows, int epochs, MakeOptimizer make,
                                         bool plain_backward) {
  accel::Accelerator accelerator(split());
  std::vector<double> losses;
  accelerator.prepare(net);
  auto optimizer = accelerator.prepare(make(net->parameters()));
  torch::manual_seed(7);
  auto loader = accelerator.make_data_loader(stacked(rows), batch_size);
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (auto& batch : *loader) {
      const Closure closure = [&] {
        optimizer.zero_grad();
        auto loss = loss_of(net, batch);
        if (plain_backward) {
          loss.backward();
        } else {
          accelerator.backward(loss);
        }
        return loss;
      };
      if constexpr (std::is_base_of_v<torch::optim::LBFGS, decltype(optimizer)>) {
        losses.push_back(optimizer.step(closure).template item<double>());
      } else {
        losses.push_back(accelerator.mean(closure()).template item<double>());
        optimizer.step();
      }
    }
  }
  return losses;
}

template <class MakeOptimizer>
void expect_same_training(MakeOptimizer make, bool plain_backward = false,
                          torch::ScalarType dtype = torch::kFloat) {
  constexpr size_t rows = 25;
  constexpr int epochs = 3;
  Net bare = make_net();
  bare->to(dtype);
  const auto expected = bare_training(bare, rows, epochs, make);
  // Other values on the other processes: prepare() must replace them.
  Net net = make_net(1 + static_cast<uint64_t>(rank()));
  net->to(dtype);
  const auto losses = accelerated_training(net, rows, epochs, make, plain_backward);
  const double tolerance = processes() == 1 ? 0 : 1e-6;
  EXPECT_LE(distance(net->parameters(), bare->parameters()), tolerance);
  ASSERT_EQ(losses.size(), expected.size());
  for (size_t i = 0; i < losses.size(); ++i) {
    EXPECT_NEAR(losses[i], expected[i], tolerance) << "step " << i;
  }
}

auto sgd = [](const Parameters& parameters) {
  return torch::optim::SGD(parameters,
                           torch::optim::SGDOptions(0.1).momentum(0.9).weight_decay(1e-3));
};

TEST(Training, SgdWithMomentumIsThatOfOneProcess) {
  run_in({1, 2, 3}, [] { expect_same_training(sgd); });
}

TEST(Training, AdamIsThatOfOneProcess) {
  run_in({1, 2, 3}, [] {
    expect_same_training([](const Parameters& p) { return torch::optim::Adam(p, 1e-3); });
  });
}

TEST(Training, AdamWIsThatOfOneProcess) {
  run_in({1, 2, 3}, [] {
    expect_same_training([](const Parameters& p) { return torch::optim::AdamW(p, 1e-3); });
  });
}

TEST(Training, RmsPropIsThatOfOneProcess) {
  run_in({1, 2, 3}, [] {
    expect_same_training([](const Parameters& p) { return torch::optim::RMSprop(p, 1e-3); });
  });
}

TEST(Training, AdagradIsThatOfOneProcess) {
  run_in({1, 2, 3}, [] {
    expect_same_training([](const Parameters& p) { return torch::optim::Adagrad(p, 1e-2); });
  });
}

// In double: LBFGS divides by differences of gradients, which turns a difference in the last bit of
// a float into one that shows.
TEST(Training, LbfgsIsThatOfOneProcess) {
  run_in({1, 2, 3}, [] {
    expect_same_training(
        [](const Parameters& p) {
          return torch::optim::LBFGS(p, torch::optim::LBFGSOptions(0.1).max_iter(3));
        },
        /*plain_backward=*/false, torch::kDouble);
  });
}

TEST(Training, LbfgsWithLineSearchIsThatOfOneProcess) {
  run_in({1, 2, 3}, [] {
    expect_same_training(
        [](const Parameters& p) {
          return torch::optim::LBFGS(
              p, torch::optim::LBFGSOptions(0.5).max_iter(3).line_search_fn("strong_wolfe"));
        },
        /*plain_backward=*/false, torch::kDouble);
  });
}

TEST(Training, PlainBackwardIsSynchronisedByStep) {
  run_in({1, 2, 3}, [] { expect_same_training(sgd, /*plain_backward=*/true); });
}

TEST(Training, OneProcessPrintsTheSameBits) {
  run_in({1}, [] {
    Net bare = make_net();
    Net net = make_net();
    const auto expected = bare_training(bare, 25, 3, sgd);
    EXPECT_EQ(accelerated_training(net, 25, 3, sgd, false), expected);
    EXPECT_EQ(distance(net->parameters(), bare->parameters()), 0.0);
  });
}

// Every process takes a whole batch: a step is that of one process on N times the batch.
TEST(Training, WholeBatchesMakeALargerBatch) {
  run_in({2, 3}, [] {
    Net bare = make_net();
    auto expected = sgd(bare->parameters());
    auto whole = torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(
        stacked(29), batch_size * static_cast<size_t>(processes()));
    for (auto& batch : *whole) {
      expected.zero_grad();
      loss_of(bare, batch).backward();
      expected.step();
    }
    accel::Accelerator accelerator;
    Net net = make_net();
    accelerator.prepare(net);
    auto optimizer = accelerator.prepare(sgd(net->parameters()));
    auto loader = accelerator.make_data_loader<torch::data::samplers::SequentialSampler>(
        stacked(29), batch_size);
    for (auto& batch : *loader) {
      optimizer.zero_grad();
      accelerator.backward(loss_of(net, batch));
      optimizer.step();
    }
    EXPECT_LE(distance(net->parameters(), bare->parameters()), 1e-6);
  });
}

TEST(Training, SummedLossIsSummedOverProcesses) {
  run_in({1, 2, 3}, [] {
    const auto rows = torch::sin(torch::arange(30, torch::kFloat)).view({5, 6});
    Net bare = make_net();
    bare->forward(rows).pow(2).sum().backward();
    accel::Accelerator accelerator;
    Net net = make_net();
    accelerator.prepare(net);
    auto optimizer = accelerator.prepare(sgd(net->parameters()));
    accelerator.backward(net->forward(mine(rows)).pow(2).sum(), accel::Sum);
    EXPECT_LE(distance(gradients(net->parameters()), gradients(bare->parameters())), 1e-5);
  });
}

} // namespace
} // namespace accel_test
