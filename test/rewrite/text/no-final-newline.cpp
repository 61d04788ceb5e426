// A file whose last line isn't ended, and that is indented by tabs, stays so.
// RUN: mkdir -p %t.dir
// RUN: %python %S/../Inputs/tabs.py %s %t.dir/program.cpp
// RUN: %accel-rewrite -i %t.dir/program.cpp -- %torch
// RUN: %python %S/../Inputs/tabs.py --check %t.dir/program.cpp
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
}
