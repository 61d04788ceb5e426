// An optimizer that is made before main begins.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

Net model;
// CHECK: {{.*}}optimizer-global.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR030]
torch::optim::SGD optimizer(model->parameters(), 0.1);

int main() {
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    torch::nll_loss(model->forward(batch.data), batch.target).backward();
    optimizer.step();
  }
}
