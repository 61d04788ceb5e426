// A variable that another one writes to.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto x = torch::randn({100, 4});
  auto y = torch::randint(0, 2, {100});
  for (int64_t i = 0; i < 96; i += 8) {
    torch::Tensor batch;
    auto& other = batch;
    other = x.slice(0, i, i + 8);
    auto target = y.slice(0, i, i + 8);
    optimizer.zero_grad();
// CHECK: {{.*}}filled-through-alias.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR052]
    torch::nll_loss(model->forward(batch), target).backward();
    optimizer.step();
  }
}
