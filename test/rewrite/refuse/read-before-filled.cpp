// A batch that is still written after it was read.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto x = torch::randn({100, 4});
  auto y = torch::randint(0, 2, {100});
  for (int64_t i = 0; i < 96; i += 8) {
    auto target = y.slice(0, i, i + 8);
    auto batch = torch::zeros({8, 4});
    batch[0] = x[i];
// CHECK: {{.*}}read-before-filled.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR052]
    auto twice = batch * 2;
    batch.slice(0, 1, 8) = twice.slice(0, 0, 7);
    optimizer.zero_grad();
    torch::nll_loss(model->forward(twice), target).backward();
    optimizer.step();
  }
}
