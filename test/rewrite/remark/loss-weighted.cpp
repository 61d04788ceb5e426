// A weighted mean is not the mean of the weighted means of its parts.
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
// CHECK: {{.*}}loss-weighted.cpp:[[@LINE+1]]:{{[0-9]+}}: note: {{.*}} [AR142]
    auto weight = torch::tensor({0.5, 2.0});
// CHECK: {{.*}}loss-weighted.cpp:[[@LINE+1]]:{{[0-9]+}}: note: {{.*}} [AR102]
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target, weight);
    loss.backward();
    optimizer.step();
  }
}
