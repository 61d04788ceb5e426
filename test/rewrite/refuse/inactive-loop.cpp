// A program whose training is switched off in this configuration: nothing is known of it, which is said.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

int main() {
  Net model;
#ifdef TRAINING
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
// CHECK: {{.*}}inactive-loop.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: this backward is in a branch of `#if` that is not compiled here, {{.*}} [AR020]
    torch::nll_loss(model->forward(batch.data), batch.target).backward();
    optimizer.step();
  }
#endif
}
