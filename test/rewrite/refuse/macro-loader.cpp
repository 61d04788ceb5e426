// A loader that a macro's body makes.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

#define MAKE_LOADER(set, size) torch::data::make_data_loader(set, size)

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = MAKE_LOADER(rows(), 8);
// CHECK: {{.*}}macro-loader.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR004]
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    torch::nll_loss(model->forward(batch.data), batch.target).backward();
    optimizer.step();
  }
}
