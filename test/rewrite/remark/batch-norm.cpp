// A model with BatchNorm.
// RUN: %accel-rewrite %s -- %torch 2>&1 >%t.diff | %FileCheck --match-full-lines --implicit-check-not='{{.*}}[AR{{.*}}' %s
#include "program.h"

int main() {
  torch::nn::Sequential model(
      torch::nn::Linear(4, 8),
// CHECK: {{.*}}batch-norm.cpp:[[@LINE+1]]:18: note: {{.*}} [AR108]
      torch::nn::BatchNorm1d(8),
      torch::nn::LogSoftmax(1));
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    torch::nll_loss(model->forward(batch.data), batch.target).backward();
    optimizer.step();
  }
}
