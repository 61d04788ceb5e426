// An optimizer that a macro's body makes.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

#define MAKE_OPTIMIZER torch::optim::SGD optimizer(model->parameters(), 0.1)

int main() {
  Net model;
// CHECK: {{.*}}macro-optimizer.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR030]
  MAKE_OPTIMIZER;
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    torch::nll_loss(model->forward(batch.data), batch.target).backward();
    optimizer.step();
  }
}
