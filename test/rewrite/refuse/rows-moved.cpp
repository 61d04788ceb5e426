// A transposed tensor may have its rows in another dimension than the first.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

void train(Net& model, std::vector<torch::Tensor>& columns, torch::Tensor y) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  for (auto& x : columns) {
    optimizer.zero_grad();
// CHECK: {{.*}}rows-moved.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR052]
    auto loss = torch::nll_loss(model->forward(x.transpose(0, 1)), y);
    loss.backward();
    optimizer.step();
  }
}
