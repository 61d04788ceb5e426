// -i writes what the diff says, and git takes the diff. The mode of the file stays.
// RUN: mkdir -p %t.dir
// RUN: cp %s %t.dir/edited.cpp && cp %s %t.dir/patched.cpp && chmod 640 %t.dir/edited.cpp
// RUN: cd %t.dir && %accel-rewrite patched.cpp -- %torch > change.diff
// RUN: cd %t.dir && git apply change.diff
// RUN: cd %t.dir && %accel-rewrite -i edited.cpp -- %torch | count 0
// RUN: diff %t.dir/edited.cpp %t.dir/patched.cpp
// RUN: stat -c %%a %t.dir/edited.cpp | grep -x 640
// RUN: not diff %s %t.dir/edited.cpp
// RUN: ls %t.dir | %FileCheck --implicit-check-not=tmp %s
// CHECK: edited.cpp
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
