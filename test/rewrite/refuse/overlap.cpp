// Two loops that want different things of one statement are both refused: the first has no use for a late placement, the second does.
// RUN: %accel-rewrite %s -- %torch 2>&1 | %FileCheck --implicit-check-not=@@ %s
// CHECK: overlap.cpp:[[@LINE+14]]:{{[0-9]+}}: warning: not converted: two edits overlap here, one of them for the training loop at overlap.cpp:{{[0-9]+}}; convert one of the loops by hand [AR013]
// CHECK: 2 training loops, 0 converted
#include "program.h"

int main() {
  torch::Device device(torch::kCPU);
  Net model;
  torch::optim::SGD first(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    torch::nll_loss(model->forward(batch.data), batch.target).backward();
    first.step();
  }

  model->to(device);
  torch::optim::Adam second(model->parameters(), 0.1);
  auto other_loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *other_loader) {
    torch::nll_loss(model->forward(batch.data), batch.target).backward();
    second.step();
  }
}
