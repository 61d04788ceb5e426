// Batches made by hand are divided right where all processes make the same.
// RUN: %accel-rewrite %s -- %torch 2>&1 >%t.diff | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

#include <random>

int main() {
// CHECK: {{.*}}random-seed.cpp:[[@LINE+1]]:{{[0-9]+}}: note: {{.*}} [AR150]
  std::mt19937 generator(std::random_device{}());
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK: {{.*}}random-seed.cpp:[[@LINE+1]]:{{[0-9]+}}: note: {{.*}} [AR142]
  auto x = torch::randn({100, 4});
  for (int step = 0; step < 10; ++step) {
    int64_t i = std::uniform_int_distribution<int64_t>(0, 90)(generator);
    optimizer.zero_grad();
    auto loss = model->forward(x.slice(0, i, i + 10)).mean();
    loss.backward();
    optimizer.step();
  }
}
// CHECK: accel-rewrite: 1 training loop, 1 converted
