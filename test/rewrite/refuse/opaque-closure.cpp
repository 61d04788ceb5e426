// A step that evaluates a closure from elsewhere.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

std::function<torch::Tensor()> closure_for(Net& model);

int main() {
  Net model;
  torch::optim::LBFGS optimizer(model->parameters());
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    torch::nll_loss(model->forward(batch.data), batch.target).backward();
// CHECK: {{.*}}opaque-closure.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR003]
    optimizer.step(closure_for(model));
  }
}
