// A hidden state that one step hands to the next.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto x = torch::randn({100, 4});
  auto state = torch::zeros({10, 2});
  for (int64_t i = 0; i < 100; i += 10) {
    auto batch = x.slice(0, i, i + 10);
    optimizer.zero_grad();
    auto out = model->forward(batch) + state;
    out.mean().backward();
    optimizer.step();
// CHECK: {{.*}}carried-state.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR054]
    state = out.detach();
  }
}
