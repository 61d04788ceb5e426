// The name of the accelerator is that of a macro.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

#define accel 2.0f

// CHECK: {{.*}}name-macro.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR007]
int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    torch::nll_loss(model->forward(batch.data), batch.target).backward();
    optimizer.step();
  }
}
