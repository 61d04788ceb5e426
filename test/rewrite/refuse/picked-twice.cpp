// Rows picked out of a batch that is divided itself.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto x = torch::randn({100, 4});
  for (int64_t i = 0; i < 100; i += 10) {
    auto batch = x.slice(0, i, i + 10);
// CHECK: {{.*}}picked-twice.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR056]
    auto half = batch.slice(0, 0, 5);
    optimizer.zero_grad();
    auto loss = model->forward(batch).mean() + model->forward(half).mean();
    loss.backward();
    optimizer.step();
  }
}
