// Parameters that are overwritten between backward and step.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    torch::nll_loss(model->forward(batch.data), batch.target).backward();
    torch::NoGradGuard guard;
    for (auto& parameter : model->parameters())
// CHECK: {{.*}}overwritten.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR063]
      parameter.data().mul_(0.99);
    optimizer.step();
  }
}
