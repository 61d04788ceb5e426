// Parameters that come, go and are shared; several optimizers; models.
#include "models.h"

namespace accel_test {
namespace {

TEST(FrozenParameters, AreLeftAloneAndJoinWhenTheyThaw) {
  run_in({2, 3}, [] {
    Pair pair;
    auto optimizer = pair.accelerator.prepare(plain_sgd(pair.net->parameters()));
    auto expected = plain_sgd(pair.bare->parameters());
    for (int set = 0; set < 4; ++set) {
      const bool trained = set >= 2;
      for (auto* net : {&pair.net, &pair.bare}) {
        (*net)->first->weight.requires_grad_(trained);
      }
      expected.zero_grad();
      loss_on(pair.bare, rows(set)).backward();
      expected.step();
      optimizer.zero_grad();
      pair.accelerator.backward(loss_on(pair.net, mine(rows(set))));
      optimizer.step();
      EXPECT_LE(distance(pair.net->parameters(), pair.bare->parameters()), 1e-6);
    }
  });
}

TEST(ParameterGroups, AddedLaterAreSynchronised) {
  run_in({2, 3}, [] {
    Pair pair;
    auto add = [](torch::optim::Optimizer& optimizer, Net& net) {
      optimizer.add_param_group(torch::optim::OptimizerParamGroup(
          {net->last->weight, net->last->bias}, std::make_unique<torch::optim::SGDOptions>(0.2)));
    };
    auto some = [](Net& net) {
      return Parameters{net->first->weight, net->first->bias, net->second->weight};
    };
    auto optimizer = pair.accelerator.prepare(plain_sgd(some(pair.net)));
    auto expected = plain_sgd(some(pair.bare));
    for (int set = 0; set < 4; ++set) {
      if (set == 2) {
        add(expected, pair.bare);
        add(optimizer, pair.net);
      }
      expected.zero_grad();
      pair.bare->zero_grad();
      loss_on(pair.bare, rows(set)).backward();
      expected.step();
      optimizer.zero_grad();
      pair.net->zero_grad();
      pair.accelerator.backward(loss_on(pair.net, mine(rows(set))));
      optimizer.step();
      EXPECT_LE(distance(pair.net->parameters(), pair.bare->parameters()), 1e-6) << set;
    }
  });
}

// A discriminator and a generator: each loss reaches both, each optimizer steps its own.
void train_gan(Net& generator, Net& critic, torch::optim::Optimizer& of_generator,
               torch::optim::Optimizer& of_critic, const std::function<torch::Tensor(int)>& input,
               const std::function<void(const torch::Tensor&)>& backward) {
  for (int set = 0; set < 3; ++set) {
    auto x = input(set);
    auto widen = [](const torch::Tensor& narrow) { return torch::cat({narrow, narrow}, 1); };
    critic->zero_grad();
    backward(critic->forward(x).pow(2).mean());
    backward((critic->forward(widen(generator->forward(x).detach())) - 1).pow(2).mean());
    of_critic.step();
    generator->zero_grad();
    backward(critic->forward(widen(generator->forward(x))).pow(2).mean());
    of_generator.step();
  }
}

TEST(TwoOptimizers, TrainAGanAsOneProcessDoes) {
  run_in({1, 2, 3}, [] {
    Net bare_g = make_net(1), bare_c = make_net(2), g = make_net(1), c = make_net(2);
    auto expected_g = plain_sgd(bare_g->parameters());
    auto expected_c = torch::optim::Adam(bare_c->parameters(), 1e-3);
    train_gan(bare_g, bare_c, expected_g, expected_c, rows,
              [](const torch::Tensor& loss) { loss.backward(); });
    accel::Accelerator accelerator(split());
    accelerator.prepare(g);
    accelerator.prepare(c);
    auto of_g = accelerator.prepare(plain_sgd(g->parameters()));
    auto of_c = accelerator.prepare(torch::optim::Adam(c->parameters(), 1e-3));
    train_gan(
        g, c, of_g, of_c, [](int set) { return mine(rows(set)); },
        [&](const torch::Tensor& loss) { accelerator.backward(loss); });
    EXPECT_LE(distance(g->parameters(), bare_g->parameters()), 1e-6);
    EXPECT_LE(distance(c->parameters(), bare_c->parameters()), 1e-6);
  });
}

TEST(TwoOptimizers, ReachedByOneProcessOnlyAreSynchronisedByAll) {
  run_in({2, 3}, [] {
    accel::Accelerator accelerator;
    auto a = torch::ones({4}, torch::requires_grad());
    auto b = torch::ones({4}, torch::requires_grad());
    auto of_a = accelerator.prepare(plain_sgd({a}));
    auto of_b = accelerator.prepare(plain_sgd({b}));
    accelerator.backward(accelerator.is_main_process() ? (3 * a).sum() : (3 * b).sum());
    EXPECT_TRUE(torch::allclose(a.grad(), torch::full({4}, 3.0 / processes())));
    EXPECT_TRUE(torch::allclose(b.grad(), torch::full({4}, 3.0 - 3.0 / processes())));
  });
}

TEST(TwoOptimizers, OnTheSameParametersShareTheirGradients) {
  run_in({2, 3}, [] {
    Pair pair;
    auto optimizer = pair.accelerator.prepare(plain_sgd(pair.net->parameters()));
    auto second = pair.accelerator.prepare(plain_sgd(pair.net->parameters()));
    auto expected = plain_sgd(pair.bare->parameters());
    loss_on(pair.bare, rows(0)).backward();
    expected.step();
    expected.step();
    loss_on(pair.net, mine(rows(0))).backward();
    second.step();
    optimizer.step();
    EXPECT_LE(distance(pair.net->parameters(), pair.bare->parameters()), 1e-6);
  });
}

TEST(Models, GetTheValuesOfTheMainProcess) {
  run_in({2, 3}, [] {
    torch::manual_seed(static_cast<uint64_t>(rank()));
    torch::nn::Sequential model(torch::nn::Linear(3, 4), torch::nn::BatchNorm1d(4));
    model->train();
    model->forward(torch::randn({8, 3}));
    accel::Accelerator accelerator;
    accelerator.prepare(model);
    for (const auto& tensor : model->parameters()) {
      EXPECT_TRUE(torch::equal(accelerator.reduce(tensor, accel::Max), tensor.detach()));
    }
    // Running statistics follow process 0, too.
    auto optimizer = accelerator.prepare(plain_sgd(model->parameters()));
    accelerator.backward(model->forward(torch::randn({8, 3})).sum());
    for (const auto& tensor : model->buffers()) {
      EXPECT_TRUE(torch::equal(accelerator.reduce(tensor, accel::Max), tensor));
    }
  });
}

TEST(Models, ThatDifferAreAnErrorThatNamesWhatDiffers) {
  run_in({2, 3}, [] {
    accel::Accelerator accelerator;
    torch::nn::Sequential model(torch::nn::Linear(3, 4), torch::nn::Linear(4, 5 + rank()));
    try {
      accelerator.prepare(model);
      FAIL() << "no error";
    } catch (const c10::Error& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("process 1: 1.weight Float [6, 4]"), std::string::npos) << text;
    }
  });
}

} // namespace
} // namespace accel_test
