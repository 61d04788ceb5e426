// A masked mean has a divisor of its own.
// RUN: %accel-rewrite %s -- %torch 2>&1 >%t.diff | %FileCheck --match-full-lines --implicit-check-not='{{.*}}[AR{{.*}}' %s
// RUN: %FileCheck --check-prefix=CONVERTED %s < %t.diff
// CONVERTED: accelerator.backward
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto errors = torch::nll_loss(model->forward(batch.data), batch.target, {}, torch::Reduction::None);
    auto mask = batch.target.ne(0);
// CHECK: {{.*}}loss-masked.cpp:[[@LINE+1]]:{{[0-9]+}}: note: {{.*}} [AR102]
    auto loss = (errors * mask).sum() / mask.sum();
    loss.backward();
    optimizer.step();
  }
}
