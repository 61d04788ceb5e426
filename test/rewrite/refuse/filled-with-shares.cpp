// A batch that is written from rows that are divided themselves.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto x = torch::randn({100, 4});
  auto y = torch::randint(0, 2, {100});
  for (int64_t i = 0; i < 96; i += 8) {
    auto rows = x.slice(0, i, i + 8);
    auto target = y.slice(0, i, i + 8);
    auto batch = torch::zeros({8, 4});
    for (int64_t k = 0; k < 8; ++k)
// CHECK: {{.*}}filled-with-shares.cpp:[[@LINE+3]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR056]
      batch[k] = rows[7 - k];
    optimizer.zero_grad();
    torch::nll_loss(model->forward(batch) + model->forward(rows), target).backward();
    optimizer.step();
  }
}
