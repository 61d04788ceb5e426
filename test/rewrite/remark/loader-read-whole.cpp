// A loader that is read elsewhere too is not divided: each process reads all batches and takes its rows.
// RUN: %accel-rewrite %s -- %torch 2>&1 >%t.diff | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK: {{.*}}loader-read-whole.cpp:[[@LINE+1]]:{{[0-9]+}}: note: {{.*}} [AR152]
  auto first = *loader->begin();
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
  }
}
// CHECK: accel-rewrite: 1 training loop, 1 converted
