// Parameters that are clamped after the step, gradients edited before it: all processes do the same.
// RUN: %accel-rewrite --quiet %s -- %torch | %changes %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    torch::nll_loss(model->forward(batch.data), batch.target).backward();
    for (auto& parameter : model->parameters())
      parameter.mutable_grad().mul_(0.5);
    optimizer.step();
    torch::NoGradGuard guard;
    for (auto& parameter : model->parameters())
      parameter.clamp_(-1, 1);
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-    torch::nll_loss(model->forward(batch.data), batch.target).backward();
// CHECK:+    accelerator.backward(torch::nll_loss(model->forward(batch.data), batch.target));
