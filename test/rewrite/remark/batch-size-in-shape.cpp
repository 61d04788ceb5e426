// A shape that names the batch size.
// RUN: %accel-rewrite %s -- %torch 2>&1 >%t.diff | %FileCheck --match-full-lines --implicit-check-not='{{.*}}[AR{{.*}}' %s
// RUN: %FileCheck --check-prefix=CONVERTED %s < %t.diff
// CONVERTED: accelerator.backward
#include "program.h"

int main() {
  const int64_t batch_size = 8;
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), batch_size);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
// CHECK: {{.*}}batch-size-in-shape.cpp:[[@LINE+1]]:{{[0-9]+}}: note: {{.*}} [AR162]
    auto flat = batch.data.view({batch_size, -1});
    torch::nll_loss(model->forward(flat), batch.target).backward();
    optimizer.step();
  }
}
