// A program that already distributes its work.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

extern "C" int MPI_Init(int*, char***);

int main() {
// CHECK: {{.*}}distributed.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR010]
  MPI_Init(nullptr, nullptr);
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
