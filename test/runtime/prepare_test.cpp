// What prepare() takes: embeddings with sparse gradients, TorchScript modules, several at once.
#include "models.h"

#include <torch/script.h>

namespace accel_test {
namespace {

struct TableImpl : torch::nn::Module {
  TableImpl() {
    torch::manual_seed(3);
    table = register_module("table",
                            torch::nn::Embedding(torch::nn::EmbeddingOptions(20, 3).sparse(true)));
    head = register_module("head", torch::nn::Linear(3, 2));
  }
  torch::Tensor forward(const torch::Tensor& words) { return head(table(words)).pow(2).mean(); }
  torch::nn::Embedding table{nullptr};
  torch::nn::Linear head{nullptr};
};
TORCH_MODULE(Table);

TEST(SparseGradients, StaySparseAndAreSummedOverProcesses) {
  run_in({1, 2, 3}, [] {
    accel::Accelerator accelerator;
    Table net;
    Table bare;
    accelerator.prepare(net);
    auto optimizer = accelerator.prepare(torch::optim::Adagrad(net->parameters(), 0.1));
    auto expected = torch::optim::Adagrad(bare->parameters(), 0.1);
    for (int step = 0; step < 3; ++step) {
      const auto words = (torch::arange(12) * (step + 3)) % 17;
      expected.zero_grad();
      bare->forward(words).backward();
      expected.step();
      optimizer.zero_grad();
      accelerator.backward(net->forward(mine(words)));
      EXPECT_TRUE(net->table->weight.grad().is_sparse());
      optimizer.step();
      EXPECT_LE(distance(net->parameters(), bare->parameters()), 1e-6);
    }
  });
}

TEST(SparseGradients, OfSeveralBackwardsAndUnusedTablesAreRight) {
  run_in({2, 3}, [] {
    accel::Accelerator accelerator;
    Table net;
    Table bare;
    torch::nn::Embedding unused(torch::nn::EmbeddingOptions(4, 2).sparse(true));
    accelerator.prepare(net);
    accelerator.prepare(unused);
    auto parameters = net->parameters();
    parameters.push_back(unused->weight);
    auto optimizer = accelerator.prepare(plain_sgd(parameters));
    auto expected = plain_sgd(bare->parameters());
    for (const int part : {1, 5}) {
      const auto words = torch::arange(12) % (part * 3);
      bare->forward(words).backward();
      accelerator.backward(net->forward(mine(words)));
    }
    net->forward(mine(torch::arange(12))).backward(); // synchronised by step()
    bare->forward(torch::arange(12)).backward();
    optimizer.step();
    expected.step();
    EXPECT_FALSE(unused->weight.grad().defined());
    EXPECT_LE(distance(net->parameters(), bare->parameters()), 1e-6);
  });
}

TEST(SparseGradients, OutsideOfPreparedModelsBecomeDense) {
  run_in({2}, [] {
    accel::Accelerator accelerator;
    auto weight = torch::ones({6, 2}, torch::requires_grad());
    auto optimizer = accelerator.prepare(plain_sgd({weight}));
    const auto words = torch::tensor({0, 3}) + accelerator.process_index();
    accelerator.backward(torch::embedding(weight, words, -1, false, /*sparse=*/true).sum(),
                         accel::Sum);
    const auto expected = torch::tensor({1., 1., 0., 1., 1., 0.}).unsqueeze(1).expand({6, 2});
    EXPECT_TRUE(torch::equal(weight.grad(), expected.to(torch::kFloat)));
  });
}

TEST(TorchScriptModules, ArePreparedInPlace) {
  run_in({1, 2}, [] {
    accel::Accelerator accelerator;
    torch::jit::Module module("net");
    const double own = accelerator.process_index() + 1;
    module.register_parameter("weight", torch::full({2, 3}, own, torch::requires_grad()), false);
    module.register_buffer("running", torch::full({2}, own));
    accelerator.prepare(module);
    const auto weight = module.attr("weight").toTensor();
    EXPECT_TRUE(weight.equal(torch::ones({2, 3})));
    EXPECT_TRUE(module.attr("running").toTensor().equal(torch::ones({2})));
    auto optimizer = accelerator.prepare(plain_sgd({weight}));
    accelerator.backward((weight * own).sum());
    EXPECT_TRUE(torch::allclose(weight.grad(), torch::full({2, 3}, (1 + processes()) / 2.0)));
  });
}

TEST(Prepare, TakesSeveralAtOnceAndAgain) {
  run_in({1, 2}, [] {
    accel::Accelerator accelerator;
    Net net = make_net();
    auto loader = accelerator.make_data_loader(stacked(8), 4);
    auto [model, optimizer, batches] =
        accelerator.prepare(net, plain_sgd(net->parameters()), std::move(loader));
    torch::optim::StepLR scheduler(optimizer, 1, 0.5);
    auto& same = accelerator.prepare(scheduler);
    EXPECT_EQ(&same, &scheduler);
    auto again = accelerator.prepare(std::move(optimizer));
    static_assert(std::is_same_v<decltype(again), accel::PreparedOptimizer<torch::optim::SGD>>);
    accelerator.prepare(model);
    const auto before = copies(net->parameters());
    for (auto& batch : *batches) {
      again.zero_grad();
      accelerator.backward(loss_of(model, batch));
      again.step();
    }
    EXPECT_GT(distance(before, net->parameters()), 0);
  });
}

TEST(Prepare, OfAPreparedOptimizerOnTheHeapReturnsIt) {
  run_in({2}, [] {
    accel::Accelerator accelerator;
    Net net = make_net();
    std::unique_ptr<torch::optim::Optimizer> optimizer =
        accelerator.prepare(std::make_unique<torch::optim::SGD>(net->parameters(), 0.1));
    const auto* first = optimizer.get();
    optimizer = accelerator.prepare(std::move(optimizer));
    EXPECT_EQ(optimizer.get(), first);
  });
}

} // namespace
} // namespace accel_test
