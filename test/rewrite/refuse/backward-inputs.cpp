// A backward that names the tensors whose gradients it computes.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
// CHECK: {{.*}}backward-inputs.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR011]
    loss.backward({}, true, false, model->parameters());
    optimizer.step();
  }
}
