// Batches that do not come from a data loader.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  for (int step = 0; step < 10; ++step) {
    auto x = torch::randn({8, 4});
    optimizer.zero_grad();
// CHECK: {{.*}}no-loader.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR001]
    model->forward(x).mean().backward();
    optimizer.step();
  }
}
