// What a model computes, written row by row.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto x = torch::randn({100, 4});
  auto y = torch::randint(0, 2, {100});
  for (int64_t i = 0; i < 96; i += 8) {
    auto batch = x.slice(0, i, i + 8);
    auto target = y.slice(0, i, i + 8);
    auto out = torch::zeros({8, 2});
    for (int64_t k = 0; k < 8; ++k)
      out[k] = model->forward(batch.slice(0, k, k + 1))[0];
    optimizer.zero_grad();
// CHECK: {{.*}}filled-with-outputs.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR052]
    torch::nll_loss(out, target).backward();
    optimizer.step();
  }
}
