// A flag of the compile command can be left out, another added.
// RUN: %exits 3 %accel-rewrite %s -- %torch -DBROKEN 2>&1 | %FileCheck --check-prefix=BROKEN %s
// RUN: %accel-rewrite --remove-arg=-DBROKEN %s -- %torch -DBROKEN | %FileCheck %s
// RUN: %exits 3 %accel-rewrite --extra-arg=-DBROKEN %s -- %torch
// BROKEN: error: "not to be read like this"
// CHECK: +    accelerator.backward(
#include "program.h"

#ifdef BROKEN
#error "not to be read like this"
#endif

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    torch::nll_loss(model->forward(batch.data), batch.target).backward();
    optimizer.step();
  }
}
