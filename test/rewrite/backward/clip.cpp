// Gradients are clipped by the accelerator, which first makes sure that they are those of all processes.
// RUN: %accel-rewrite --quiet %s -- %torch | %changes %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    torch::nll_loss(model->forward(batch.data), batch.target).backward();
    torch::nn::utils::clip_grad_norm_(model->parameters(), 1.0);
    torch::nn::utils::clip_grad_value_(model->parameters(), 0.5);
    optimizer.step();
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
// CHECK:-    torch::nn::utils::clip_grad_norm_(model->parameters(), 1.0);
// CHECK:-    torch::nn::utils::clip_grad_value_(model->parameters(), 0.5);
// CHECK:+    accelerator.backward(torch::nll_loss(model->forward(batch.data), batch.target));
// CHECK:+    accelerator.clip_grad_norm_(model->parameters(), 1.0);
// CHECK:+    accelerator.clip_grad_value_(model->parameters(), 0.5);
