// A read-only file is left as it is, and so are the others of the run: exit code 4.
// RUN: rm -rf %t.dir && mkdir -p %t.dir
// RUN: cp %s %t.dir/a.cpp && cp %s %t.dir/b.cpp && chmod a-w %t.dir/b.cpp
// RUN: %exits 4 %accel-rewrite -i %t.dir -- %torch 2>&1 | %FileCheck %s
// RUN: diff %s %t.dir/a.cpp && diff %s %t.dir/b.cpp
// CHECK: error: {{.*}}b.cpp is read-only; nothing was written
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
