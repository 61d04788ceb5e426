// Two GPUs in one process.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

int main() {
  torch::Device device(torch::kCUDA, 0);
// CHECK: {{.*}}device-several.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR040]
  torch::Device other(torch::kCUDA, 1);
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
  }
}
