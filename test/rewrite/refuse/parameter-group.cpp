// Parameters that join within the loop.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

int main() {
  Net model, other;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
// CHECK: {{.*}}parameter-group.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR062]
    optimizer.add_param_group(torch::optim::OptimizerParamGroup(other->parameters()));
    torch::nll_loss(model->forward(batch.data), batch.target).backward();
    optimizer.step();
  }
}
