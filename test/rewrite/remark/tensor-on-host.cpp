// A program that names no device makes a tensor of its own.
// RUN: %accel-rewrite %s -- %torch 2>&1 >%t.diff | %FileCheck --match-full-lines --implicit-check-not='{{.*}}[AR{{.*}}' %s
// RUN: %FileCheck --check-prefix=CONVERTED %s < %t.diff
// CONVERTED: accelerator.backward
#include "program.h"

int main() {
  Net model;
// CHECK: {{.*}}tensor-on-host.cpp:[[@LINE+1]]:{{[0-9]+}}: note: {{.*}} [AR142]
  auto offset = torch::ones({2});
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data) + offset, batch.target);
    loss.backward();
    optimizer.step();
  }
}
