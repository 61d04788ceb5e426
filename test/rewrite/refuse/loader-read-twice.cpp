// The training loader is also read without training.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
  }
  size_t rows_read = 0;
// CHECK: {{.*}}loader-read-twice.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR005]
  for (auto& batch : *loader)
    rows_read += batch.data.size(0);
}
