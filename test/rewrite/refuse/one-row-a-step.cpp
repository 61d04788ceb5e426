// Steps of a single row each: there is nothing to divide.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

void train(Net& model, std::vector<torch::data::Example<>>& rows) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  for (auto& row : rows) {
    optimizer.zero_grad();
// CHECK: {{.*}}one-row-a-step.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR052]
    auto loss = torch::nll_loss(model->forward(row.data.unsqueeze(0)), row.target.unsqueeze(0));
    loss.backward();
    optimizer.step();
  }
}
