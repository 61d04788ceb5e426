// A function that took the device takes the accelerator when all its callers pass a device that goes.
// RUN: %accel-rewrite %s -- %torch | %changes %s
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
  torch::Device device(torch::kCPU);
  Net model;
  model->to(device);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  train(model, device, *loader, optimizer);
}



// CHECK:+#include <accel/accel.h>
// CHECK:-void train(Net& model, torch::Device device, Loader& loader, torch::optim::Optimizer& optimizer) {
// CHECK:+void train(Net& model, accel::Accelerator& accelerator, Loader& loader, torch::optim::Optimizer& optimizer) {
// CHECK:-    auto data = batch.data.to(device), targets = batch.target.to(device);
// CHECK:+    auto data = batch.data, targets = batch.target;
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss);
// CHECK:-  torch::Device device(torch::kCPU);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:-  model->to(device);
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:-  train(model, device, *loader, optimizer);
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:+  train(model, accelerator, *loader, optimizer);
