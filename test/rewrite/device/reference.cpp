// A function of the project that wants a reference to the device gets one.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

torch::Tensor ones(torch::Device& device) { return torch::ones({2}, device); }

int main() {
  torch::Device device(torch::kCPU);
  if (torch::cuda::is_available())
    device = torch::kCUDA;
  Net model;
  model->to(device);
  auto weight = ones(device);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data.to(device)), batch.target.to(device));
    loss.backward();
    optimizer.step();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::Device device(torch::kCPU);
// CHECK:-  if (torch::cuda::is_available())
// CHECK:-    device = torch::kCUDA;
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  torch::Device device(accelerator.device());
// CHECK:-  model->to(device);
// CHECK:+  accelerator.prepare(model);
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-    auto loss = torch::nll_loss(model->forward(batch.data.to(device)), batch.target.to(device));
// CHECK:-    loss.backward();
// CHECK:+    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
// CHECK:+    accelerator.backward(loss);
