// A byte order mark stays at the begin of the file, before the new include; bytes that are no UTF-8 stay as they are.
// RUN: mkdir -p %t.dir
// RUN: %python %S/../Inputs/encode.py %s %t.dir/program.cpp
// RUN: cp %t.dir/program.cpp %t.dir/old.cpp
// RUN: %accel-rewrite -i %t.dir/program.cpp -- %torch
// RUN: %python %S/../Inputs/encode.py --check %t.dir/old.cpp %t.dir/program.cpp
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
  }
} // größer
