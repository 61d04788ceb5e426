// A read-only file refuses the loops that need a change in it; the other files of the run are edited all the same. A diff can be had.
// RUN: rm -rf %t.dir && mkdir -p %t.dir
// RUN: cp %s %t.dir/a.cpp && cp %s %t.dir/b.cpp && chmod a-w %t.dir/b.cpp
// RUN: %accel-rewrite -i %t.dir -- %torch 2>&1 | %FileCheck %s
// RUN: not diff %s %t.dir/a.cpp
// RUN: diff %s %t.dir/b.cpp
// RUN: %accel-rewrite %t.dir/b.cpp -- %torch 2>&1 | %FileCheck --check-prefix=DIFF %s
// CHECK: b.cpp:{{[0-9:]+}} warning: not converted: the training loop at b.cpp:{{[0-9]+}} needs a change here, in a file that is read-only; {{.*}} [AR023]
// CHECK: 2 training loops, 1 converted
// DIFF: 1 training loop, 1 converted
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
