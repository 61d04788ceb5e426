// Tensors without a model: nothing moves them to the device.
// RUN: %accel-rewrite %s -- %torch 2>&1 >%t.diff | %FileCheck --match-full-lines --implicit-check-not='{{.*}}[AR{{.*}}' %s
#include "program.h"

int main() {
  // CHECK: {{.*}}parameters-without-model.cpp:[[@LINE+1]]:{{[0-9]+}}: note: {{.*}} [AR142]
  auto weight = torch::zeros({4, 2}, torch::requires_grad());
  // CHECK: {{.*}}parameters-without-model.cpp:[[@LINE+1]]:{{[0-9]+}}: note: {{.*}} [AR142]
  auto bias = torch::zeros({2}, torch::requires_grad());
  // CHECK: {{.*}}parameters-without-model.cpp:[[@LINE+1]]:3: note: {{.*}} [AR130]
  torch::optim::SGD optimizer({weight, bias}, 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(torch::log_softmax(batch.data.matmul(weight) + bias, 1), batch.target);
    loss.backward();
    optimizer.step();
  }
}
