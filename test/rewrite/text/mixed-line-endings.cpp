// In a file with line endings of both kinds a new line ends as the line beside it does; the others stay. The diff says the same.
// RUN: mkdir -p %t.dir
// RUN: sed "/^  for/,/^}/s/$/\r/" %s > %t.dir/program.cpp
// RUN: cp %t.dir/program.cpp %t.dir/patched.cpp
// RUN: cd %t.dir && %accel-rewrite patched.cpp -- %torch > change.diff
// RUN: cd %t.dir && git apply change.diff
// RUN: %accel-rewrite -i %t.dir/program.cpp -- %torch
// RUN: diff %t.dir/program.cpp %t.dir/patched.cpp
// RUN: grep -c "0.1));$" %t.dir/program.cpp | grep -x 1
// RUN: tr -d "\r" < %t.dir/program.cpp > %t.dir/plain.cpp
// RUN: sed "/^  for/,/^}/s/$/\r/" %t.dir/plain.cpp > %t.dir/again.cpp
// RUN: diff %t.dir/program.cpp %t.dir/again.cpp
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
