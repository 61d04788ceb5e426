// --check changes nothing and prints no diff; it exits with 1 if anything would change, with 0 if not.
// RUN: cp %s %t.cpp
// RUN: not %accel-rewrite --check %t.cpp -- %torch 2>&1 | %FileCheck %s
// RUN: diff %s %t.cpp
// RUN: %accel-rewrite -i %t.cpp -- %torch 2>&1
// RUN: %accel-rewrite --check %t.cpp -- %torch -I%runtime
// CHECK: check.cpp{{.*}} would change
// CHECK-NOT: @@
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    torch::nll_loss(model->forward(batch.data), batch.target).backward();
    optimizer.step();
  }
}
