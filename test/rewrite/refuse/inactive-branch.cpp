// A step in a branch that this configuration skips: the other configuration would be left with a loop that is half converted.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
#ifdef WITHOUT_MOMENTUM
// CHECK: {{.*}}inactive-branch.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: the conversion of the training loop at inactive-branch.cpp:9 concerns `optimizer` here, in a branch of `#if` that is not compiled; {{.*}} [AR020]
    optimizer.step();
#else
    optimizer.step();
#endif
  }
}
