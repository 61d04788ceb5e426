// An optimizer of which one can not tell whose parameters it takes.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

int main() {
  Net model;
  std::vector<torch::Tensor> parameters;
  for (auto& parameter : model->parameters())
    parameters.push_back(parameter);
  // CHECK: {{.*}}optimizer-parameters.cpp:[[@LINE+1]]:3: warning: not converted: {{.*}} [AR003]
  torch::optim::SGD optimizer(parameters, 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
  }
}
