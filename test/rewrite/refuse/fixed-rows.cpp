// A shape names the number of rows, of which a process has a part.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto x = torch::randn({100, 2, 2});
  for (int64_t i = 0; i < 100; i += 10) {
    auto batch = x.slice(0, i, i + 10);
    optimizer.zero_grad();
// CHECK: {{.*}}fixed-rows.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR053]
    auto loss = model->forward(batch.view({10, 4})).mean();
    loss.backward();
    optimizer.step();
  }
}
