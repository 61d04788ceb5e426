// A file that does not parse is left as it is, with clang's error and exit code 3; the other files of the run are edited.
// RUN: rm -rf %t.dir && mkdir -p %t.dir
// RUN: sed "s/torch::optim::SGD/torch::optim::NoSuchOptimizer/" %s > %t.dir/broken.cpp && cp %s %t.dir/whole.cpp
// RUN: cp %t.dir/broken.cpp %t.dir/broken.txt
// RUN: %exits 3 %accel-rewrite -i %t.dir -- %torch 2>&1 | %FileCheck %s
// RUN: diff %t.dir/broken.txt %t.dir/broken.cpp
// RUN: grep accelerator.backward %t.dir/whole.cpp
// CHECK: broken.cpp:{{[0-9]+}}:{{[0-9]+}}: error: no member named 'NoSuchOptimizer'
// CHECK: broken.cpp does not parse, so it is left as it is
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
