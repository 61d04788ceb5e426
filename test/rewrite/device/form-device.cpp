// --form device keeps each .to(device), and makes the device the accelerator's.
// RUN: %accel-rewrite --form device %s -- %torch | %changes %s
#include "program.h"

template <typename Loader>
void train(Net& model, torch::Device device, Loader& loader, torch::optim::Optimizer& optimizer) {
  for (auto& batch : loader) {
    auto data = batch.data.to(device), targets = batch.target.to(device);
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(data), targets);
    loss.backward();
    optimizer.step();
  }
}

int main() {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  Net model;
  model->to(device);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  train(model, device, *loader, optimizer);
}



// CHECK:+#include <accel/accel.h>
// CHECK:+  accel::Accelerator accelerator;
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss);
// CHECK:-  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  torch::Device device(accelerator.device());
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
