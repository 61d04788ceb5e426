// The loop computes gradients, and something else steps.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  optimizer.zero_grad();
  for (auto& batch : *loader) {
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
// CHECK: {{.*}}no-step.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR002]
    loss.backward();
  }
  optimizer.step();
}
