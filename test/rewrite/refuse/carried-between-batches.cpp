// A hidden state that goes from one batch of a loader to the next, of which a process takes some.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

struct CellImpl : torch::nn::Module {
  std::pair<torch::Tensor, torch::Tensor> forward(torch::Tensor x, torch::Tensor state) {
    auto next = cell->forward(x, state);
    return {head->forward(next), next};
  }
  torch::nn::GRUCell cell{register_module("cell", torch::nn::GRUCell(4, 8))};
  torch::nn::Linear head{register_module("head", torch::nn::Linear(8, 4))};
};
TORCH_MODULE(Cell);

int main() {
  Cell model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  auto state = torch::zeros({8, 8});
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto [out, next] = model->forward(batch.data, state);
    auto loss = torch::nll_loss(out, batch.target);
    loss.backward();
    optimizer.step();
// CHECK: {{.*}}carried-between-batches.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR054]
    state = next.detach();
  }
}
