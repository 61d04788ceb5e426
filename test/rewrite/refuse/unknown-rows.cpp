// Whether a tensor that stays the same has a row for each of the batch's can't be told.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto x = torch::randn({100, 4});
  auto scale = torch::rand({10, 2});
  for (int64_t i = 0; i < 100; i += 10) {
    auto batch = x.slice(0, i, i + 10);
    optimizer.zero_grad();
// CHECK: {{.*}}unknown-rows.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR052]
    auto loss = (model->forward(batch) * scale).mean();
    loss.backward();
    optimizer.step();
  }
}
