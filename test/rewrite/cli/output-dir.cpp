// --output-dir mirrors the files below the root, the changed and the unchanged; the originals stay.
// RUN: rm -rf %t.dir && mkdir -p %t.dir/project/src
// RUN: cp %s %t.dir/project/src/train.cpp && echo "int unrelated;" > %t.dir/project/src/other.cpp
// RUN: %accel-rewrite --root %t.dir/project --output-dir %t.dir/out %t.dir/project/src -- %torch | count 0
// RUN: grep accelerator.backward %t.dir/out/src/train.cpp
// RUN: diff %t.dir/project/src/other.cpp %t.dir/out/src/other.cpp
// RUN: diff %s %t.dir/project/src/train.cpp
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
