// A loop is left alone by a comment on its own line, a region by comments around it; a loop whose conversion needs a change in such a
// region is refused.
// RUN: %accel-rewrite %s -- %torch 2>&1 | %FileCheck --implicit-check-not=accelerator --implicit-check-not=AR001 %s
// CHECK: suppression.cpp:[[@LINE+28]]:1: warning: not converted: the training loop at {{.*}} needs a change here, in a region that is switched off; {{.*}} [AR015]
// CHECK: 1 training loop, 0 converted
#include "program.h"

void line() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) { // accel-rewrite: off
    torch::nll_loss(model->forward(batch.data), batch.target).backward();
    optimizer.step();
  }
}

// accel-rewrite: off
void region() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  for (int i = 0; i < 10; ++i) {
    model->forward(torch::ones({1, 4})).mean().backward();
    optimizer.step();
  }
}
// accel-rewrite: on

void partly() {
  Net model;
  // accel-rewrite: off
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  // accel-rewrite: on
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    torch::nll_loss(model->forward(batch.data), batch.target).backward();
    optimizer.step();
  }
}
