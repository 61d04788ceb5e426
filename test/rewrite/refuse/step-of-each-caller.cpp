// A function computes gradients for several callers, each of which steps by itself.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

// CHECK: {{.*}}step-of-each-caller.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR050]
void descend(torch::Tensor loss) { loss.backward(); }

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    descend(torch::nll_loss(model->forward(batch.data), batch.target));
    optimizer.step();
  }
  for (auto& batch : *loader) {
    descend(torch::nll_loss(model->forward(batch.data), batch.target));
    optimizer.step();
  }
}
