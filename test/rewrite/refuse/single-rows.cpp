// A step on a single row, which can't be divided.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto x = torch::randn({100, 4});
  for (int i = 0; i < 100; ++i) {
    optimizer.zero_grad();
// CHECK: {{.*}}single-rows.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR052]
    auto loss = model->forward(x[i].unsqueeze(0)).mean();
    loss.backward();
    optimizer.step();
  }
}
