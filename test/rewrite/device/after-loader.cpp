// Where the device is chosen after the accelerator is needed, the accelerator comes first.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  // The data.
  auto loader = torch::data::make_data_loader(rows(), 8);
  torch::Device device(torch::kCPU);
  Net model;
  model->to(device);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:+  accel::Accelerator accelerator;
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:-  torch::Device device(torch::kCPU);
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-  model->to(device);
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss);
