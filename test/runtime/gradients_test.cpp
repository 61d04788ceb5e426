// What the synchroniser must get right besides the plain loop.
#include "models.h"

#include "state/state.h"
#include "sync/buckets.h"
#include "sync/synchroniser.h"

#include <cstdlib>
#include <limits>
#include <thread>

namespace accel_test {
namespace {

TEST(Gradients, AreSynchronisedWhenBackwardReturns) {
  run_in({2, 3}, [] {
    Pair pair;
    auto optimizer = pair.accelerator.prepare(plain_sgd(pair.net->parameters()));
    loss_on(pair.bare, rows(0)).backward();
    pair.accelerator.backward(loss_on(pair.net, mine(rows(0))));
    EXPECT_LE(pair.gradient_distance(), 1e-6);
  });
}

TEST(Parameters, OutsideOfAnyModelTakeTheValuesOfTheMainProcess) {
  run_in({2, 3}, [] {
    accel::Accelerator accelerator;
    auto leaf = torch::full({3}, static_cast<float>(accelerator.process_index() + 1));
    leaf.requires_grad_();
    auto optimizer = accelerator.prepare(plain_sgd({leaf}));
    EXPECT_TRUE(leaf.equal(torch::ones({3})));
  });
}

TEST(Gradients, OfSeveralBackwardsAddUp) {
  run_in({2, 3}, [] {
    Pair pair;
    auto optimizer = pair.accelerator.prepare(plain_sgd(pair.net->parameters()));
    for (int set = 0; set < 3; ++set) {
      loss_on(pair.bare, rows(set)).backward();
      pair.accelerator.backward(loss_on(pair.net, mine(rows(set))));
      EXPECT_LE(pair.gradient_distance(), 1e-6);
    }
    optimizer.step();
    EXPECT_LE(pair.gradient_distance(), 1e-6);
  });
}

TEST(Gradients, OfSeveralLossesInOneBackwardAddUp) {
  run_in({1, 2, 3}, [] {
    Pair pair;
    auto optimizer = pair.accelerator.prepare(plain_sgd(pair.net->parameters()));
    torch::autograd::backward({loss_on(pair.bare, rows(0)), loss_on(pair.bare, rows(1))});
    pair.accelerator.backward({loss_on(pair.net, mine(rows(0))), loss_on(pair.net, mine(rows(1)))});
    EXPECT_LE(pair.gradient_distance(), 1e-6);
  });
}

TEST(Gradients, OfABackwardWithArgumentsAreThoseOfTheBareOne) {
  run_in({1, 2, 3}, [] {
    Pair pair;
    auto optimizer = pair.accelerator.prepare(plain_sgd(pair.net->parameters()));
    const auto expected = loss_on(pair.bare, rows(0));
    const auto loss = loss_on(pair.net, mine(rows(0)));
    expected.backward(torch::full({}, 3), /*retain_graph=*/true);
    pair.accelerator.backward(loss, torch::full({}, 3), /*keep_graph=*/true);
    expected.backward(); // The graph is still there.
    pair.accelerator.backward(loss);
    EXPECT_LE(pair.gradient_distance(), 1e-6);
  });
}

TEST(Gradients, OfASumWithArgumentsAreThoseOfTheWholeSum) {
  run_in({1, 2, 3}, [] {
    Pair pair;
    auto optimizer = pair.accelerator.prepare(plain_sgd(pair.net->parameters()));
    const auto sum = [](Net& net, const torch::Tensor& of) { return net->forward(of).sum(); };
    sum(pair.bare, rows(0)).backward(torch::full({}, 2));
    pair.accelerator.backward(sum(pair.net, mine(rows(0))), torch::full({}, 2), torch::nullopt,
                              false, accel::Sum);
    EXPECT_LE(pair.gradient_distance(), 1e-5);
  });
}

TEST(Gradients, OfPlainAndAcceleratedBackwardsAddUp) {
  run_in({2, 3}, [] {
    Pair pair;
    auto optimizer = pair.accelerator.prepare(plain_sgd(pair.net->parameters()));
    auto expected = plain_sgd(pair.bare->parameters());
    for (int set = 0; set < 4; ++set) {
      loss_on(pair.bare, rows(set)).backward();
      if (set % 2 == 0) {
        loss_on(pair.net, mine(rows(set))).backward();
      } else {
        pair.accelerator.backward(loss_on(pair.net, mine(rows(set))));
      }
    }
    loss_on(pair.net, mine(rows(4))).backward();
    loss_on(pair.bare, rows(4)).backward();
    optimizer.step();
    expected.step();
    EXPECT_LE(pair.gradient_distance(), 1e-6);
    EXPECT_LE(distance(pair.net->parameters(), pair.bare->parameters()), 1e-6);
  });
}

void train_with(const std::function<void(Net&, torch::optim::Optimizer&)>& zero) {
  Pair pair;
  auto optimizer = pair.accelerator.prepare(plain_sgd(pair.net->parameters()));
  auto expected = plain_sgd(pair.bare->parameters());
  for (int set = 0; set < 3; ++set) {
    zero(pair.bare, expected);
    loss_on(pair.bare, rows(set)).backward();
    expected.step();
    zero(pair.net, optimizer);
    pair.accelerator.backward(loss_on(pair.net, mine(rows(set))));
    optimizer.step();
  }
  EXPECT_LE(distance(pair.net->parameters(), pair.bare->parameters()), 1e-6);
}

TEST(ZeroGrad, OfTheOptimizer) {
  run_in({2, 3}, [] {
    train_with([](Net&, torch::optim::Optimizer& optimizer) { optimizer.zero_grad(); });
  });
}

TEST(ZeroGrad, OfTheModule) {
  run_in({2, 3}, [] { train_with([](Net& net, torch::optim::Optimizer&) { net->zero_grad(); }); });
}

TEST(ZeroGrad, ToNone) {
  run_in({2, 3}, [] {
    train_with([](Net& net, torch::optim::Optimizer&) {
      for (auto& parameter : net->parameters()) {
        parameter.mutable_grad() = torch::Tensor();
      }
    });
  });
}

TEST(ZeroGrad, ToZeroByHand) {
  run_in({2, 3}, [] {
    train_with([](Net& net, torch::optim::Optimizer&) {
      for (auto& parameter : net->parameters()) {
        if (parameter.grad().defined()) {
          parameter.grad().zero_();
        }
      }
    });
  });
}

TEST(Gradients, HeldFromAnEarlierStepKeepTheirValues) {
  run_in({2}, [] {
    Pair pair;
    auto optimizer = pair.accelerator.prepare(plain_sgd(pair.net->parameters()));
    pair.accelerator.backward(loss_on(pair.net, mine(rows(0))));
    const torch::Tensor held = pair.net->last->weight.grad();
    const torch::Tensor values = held.clone();
    for (auto& parameter : pair.net->parameters()) {
      parameter.mutable_grad() = torch::Tensor();
    }
    pair.accelerator.backward(loss_on(pair.net, mine(rows(1))));
    EXPECT_TRUE(torch::equal(held, values));
    EXPECT_FALSE(torch::equal(pair.net->last->weight.grad(), values));
  });
}

TEST(UnusedParameters, StayUndefinedWhereNoProcessUsesThem) {
  run_in({2, 3}, [] {
    Pair pair;
    auto parameters = pair.net->parameters();
    parameters.push_back(torch::ones({4}, torch::requires_grad()));
    auto optimizer = pair.accelerator.prepare(torch::optim::SGD(
        parameters, torch::optim::SGDOptions(0.1).momentum(0.9).weight_decay(0.1)));
    for (int set = 0; set < 2; ++set) {
      optimizer.zero_grad();
      pair.accelerator.backward(loss_on(pair.net, mine(rows(set))));
      optimizer.step();
    }
    EXPECT_FALSE(parameters.back().grad().defined());
    EXPECT_TRUE(torch::equal(parameters.back().detach(), torch::ones({4})));
  });
}

TEST(UnusedParameters, OfOneProcessGetTheOthersGradient) {
  run_in({2, 3}, [] {
    accel::Accelerator accelerator;
    auto a = torch::ones({4}, torch::requires_grad());
    auto b = torch::ones({4}, torch::requires_grad());
    auto optimizer = accelerator.prepare(plain_sgd({a, b}));
    // Only the last process uses b.
    auto loss = a.sum();
    if (accelerator.is_last_process()) {
      loss = loss + 6 * b.sum();
    }
    accelerator.backward(loss);
    EXPECT_TRUE(torch::allclose(a.grad(), torch::ones({4})));
    ASSERT_TRUE(b.grad().defined());
    EXPECT_TRUE(torch::allclose(b.grad(), torch::full({4}, 6.0 / processes())));
  });
}

TEST(Gradients, AssignedByHandAreAveraged) {
  run_in({2, 3}, [] {
    Pair pair;
    auto optimizer = pair.accelerator.prepare(plain_sgd(pair.net->parameters()));
    loss_on(pair.bare, rows(0)).backward();
    const auto parameters = pair.net->parameters();
    const auto by_hand = torch::autograd::grad({loss_on(pair.net, mine(rows(0)))}, parameters);
    for (size_t i = 0; i < parameters.size(); ++i) {
      auto parameter = parameters[i];
      parameter.mutable_grad() = by_hand[i];
    }
    optimizer.step();
    EXPECT_LE(pair.gradient_distance(), 1e-6);
  });
}

TEST(Gradients, WithAGraphAreSynchronisedAndKeepIt) {
  run_in({2}, [] {
    accel::Accelerator accelerator;
    auto a = torch::full({3}, 2.0, torch::requires_grad());
    auto optimizer = accelerator.prepare(plain_sgd({a}));
    for (int round = 0; round < 2; ++round) {
      optimizer.zero_grad();
      a.mutable_grad() = torch::Tensor();
      accelerator.backward((a.pow(3) * (rank() + 1)).sum(), {}, true, /*create_graph=*/true);
      EXPECT_TRUE(torch::allclose(a.grad(), torch::full({3}, 3 * 4 * 1.5)));
      EXPECT_TRUE(a.grad().requires_grad());
    }
    optimizer.step();
    a.mutable_grad() = torch::Tensor();
  });
}

TEST(Gradients, OfMixedTypesAreSynchronised) {
  run_in({2, 3}, [] {
    accel::Accelerator accelerator;
    auto make = [](torch::ScalarType dtype) {
      return torch::ones({5}, torch::TensorOptions(dtype).requires_grad(true));
    };
    const Parameters parameters{make(torch::kFloat), make(torch::kDouble), make(torch::kBFloat16),
                                make(torch::kFloat), make(torch::kDouble), make(torch::kBFloat16)};
    auto optimizer = accelerator.prepare(plain_sgd(parameters));
    for (int round = 1; round <= 2; ++round) {
      auto loss = torch::zeros({}, torch::kDouble);
      for (const auto& parameter : parameters) {
        loss = loss + (parameter.to(torch::kDouble) * (rank() + 1)).sum();
      }
      accelerator.backward(loss);
    }
    for (const auto& parameter : parameters) {
      EXPECT_TRUE(torch::allclose(parameter.grad().to(torch::kDouble),
                                  torch::full({5}, processes() + 1.0, torch::kDouble), 1e-2));
    }
  });
}

TEST(Clipping, SeesTheGradientsOfAllProcesses) {
  run_in({1, 2, 3}, [] {
    Pair pair;
    auto optimizer = pair.accelerator.prepare(plain_sgd(pair.net->parameters()));
    auto expected = plain_sgd(pair.bare->parameters());
    for (int round = 0; round < 2; ++round) {
      expected.zero_grad();
      loss_on(pair.bare, rows(round)).backward();
      const double norm = torch::nn::utils::clip_grad_norm_(pair.bare->parameters(), 0.01);
      expected.step();
      optimizer.zero_grad();
      loss_on(pair.net, mine(rows(round))).backward(); // not synchronised before the clip
      EXPECT_NEAR(pair.accelerator.clip_grad_norm_(pair.net->parameters(), 0.01), norm, 1e-6);
      optimizer.step();
      EXPECT_LE(distance(pair.net->parameters(), pair.bare->parameters()), 1e-6);
    }
  });
}

TEST(Clipping, OfValuesSeesTheGradientsOfAllProcesses) {
  run_in({1, 2}, [] {
    Pair pair;
    auto optimizer = pair.accelerator.prepare(plain_sgd(pair.net->parameters()));
    loss_on(pair.bare, rows(0)).backward();
    torch::nn::utils::clip_grad_value_(pair.bare->parameters(), 0.003);
    loss_on(pair.net, mine(rows(0))).backward();
    pair.accelerator.clip_grad_value_(pair.net->parameters(), 0.003);
    EXPECT_LE(pair.gradient_distance(), 1e-6);
    optimizer.step();
    EXPECT_LE(pair.gradient_distance(), 1e-6);
  });
}

TEST(Gradients, ThatAreNotFiniteReachAllProcesses) {
  run_in({2, 3}, [] {
    Pair pair;
    auto optimizer = pair.accelerator.prepare(plain_sgd(pair.net->parameters()));
    auto loss = loss_on(pair.net, mine(rows(0)));
    if (rank() == 1) {
      loss = loss * std::numeric_limits<double>::quiet_NaN();
    }
    pair.accelerator.backward(loss);
    EXPECT_TRUE(pair.accelerator.mean(loss).isnan().item<bool>());
    for (const auto& parameter : pair.net->parameters()) {
      EXPECT_TRUE(parameter.grad().isnan().all().item<bool>());
    }
    // The next step is not the worse for it.
    optimizer.zero_grad();
    loss_on(pair.bare, rows(1)).backward();
    pair.accelerator.backward(loss_on(pair.net, mine(rows(1))));
    EXPECT_LE(pair.gradient_distance(), 1e-6);
  });
}

TEST(Compression, RoundsToItsFormatAndNoFurther) {
  for (const auto format : {accel::Compression::Fp16, accel::Compression::Bf16}) {
    const Variables variables{{"ACCEL_TEST_FORMAT", std::to_string(static_cast<int>(format))},
                              {"ACCEL_SHARED_MEMORY", "off"}};
    run_in(
        {2},
        [] {
          const auto chosen =
              static_cast<accel::Compression>(std::stoi(std::getenv("ACCEL_TEST_FORMAT")));
          accel::Accelerator accelerator(accel::AcceleratorOptions().gradient_compression(chosen));
          Net bare = make_net();
          Net net = make_net();
          accelerator.prepare(net);
          auto optimizer = accelerator.prepare(plain_sgd(net->parameters()));
          loss_on(bare, rows(0)).backward();
          accelerator.backward(loss_on(net, mine(rows(0))));
          const double precision = chosen == accel::Compression::Fp16 ? 1e-3 : 8e-3;
          const auto expected = gradients(bare->parameters());
          const auto actual = gradients(net->parameters());
          for (size_t i = 0; i < expected.size(); ++i) {
            EXPECT_TRUE(torch::allclose(actual[i], expected[i], 2 * precision, 1e-5));
          }
          EXPECT_GT(distance(actual, expected), 1e-7) << "was not compressed";
        },
        variables);
    if (is_child()) {
      return;
    }
  }
}

TEST(Overlap, FirstReductionStartsBeforeTheLastGradientIsReady) {
  run_in({2}, [] {
    accel::Accelerator accelerator(accel::AcceleratorOptions().first_bucket_mb(0.001));
    Net net = make_net();
    accelerator.prepare(net);
    auto optimizer = accelerator.prepare(plain_sgd(net->parameters()));
    accelerator.backward(loss_on(net, rows(0)));
    const auto state = accel::detail::State::get({});
    const auto synchroniser = state->synchronisers().at(0);
    EXPECT_GE(synchroniser->ready_at_first_launch(), 1U);
    EXPECT_LT(synchroniser->ready_at_first_launch(), net->parameters().size());
  });
}

// As backward does where parameters lie on several devices, each of which has a thread.
TEST(Hooks, OfSeveralThreadsKeepEachOthersGradients) {
  run_in({2}, [] {
    Pair pair;
    auto optimizer = pair.accelerator.prepare(plain_sgd(pair.net->parameters()));
    Net twin = make_net();
    loss_on(twin, mine(rows(0))).backward();
    loss_on(pair.bare, rows(0)).backward();
    const auto state = accel::detail::State::get({});
    const auto synchroniser = state->synchronisers().at(0);
    synchroniser->begin();
    synchroniser->launch_when_full();
    state->in_backward = true;
    // No thread touches another's tensors, whose reference counts would order them.
    auto parameters = pair.net->parameters();
    auto halves = gradients(twin->parameters());
    std::vector<std::thread> threads;
    for (size_t i = 0; i < parameters.size(); ++i) {
      threads.emplace_back([&parameter = parameters[i], &half = halves[i].div_(2), i,
                            listener = synchroniser.get()] {
        parameter.mutable_grad() = listener->before_accumulation(i, half);
        half.reset();
        listener->after_accumulation(i);
      });
    }
    for (auto& thread : threads) {
      thread.join();
    }
    state->in_backward = false;
    synchroniser->launch_all();
    synchroniser->finish();
    EXPECT_LE(pair.gradient_distance(), 1e-6);
  });
}

TEST(Buckets, AreFilledFromTheLastParameterAndBounded) {
  const Parameters parameters{torch::zeros({1000}), torch::zeros({1000}), torch::zeros({10}),
                              torch::zeros({3000}), torch::zeros({16})};
  const auto buckets = accel::detail::plan_buckets(parameters, {0, 1, 2, 3, 4}, 100, 8100);
  std::vector<std::vector<size_t>> members;
  for (const auto& bucket : buckets) {
    members.push_back(bucket.members);
  }
  EXPECT_EQ(members, (std::vector<std::vector<size_t>>{{4}, {3}, {2, 1}, {0}}));
}

} // namespace
} // namespace accel_test
