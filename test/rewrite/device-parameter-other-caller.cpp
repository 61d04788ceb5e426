// A function keeps its device parameter, and gets a handle of its own, where a caller passes something else.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "Inputs/program.h"

template <typename Loader>
void train(Net& model, torch::Device device, Loader& loader, torch::optim::Optimizer& optimizer) {
  for (auto& batch : loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data.to(device)), batch.target);
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
  train(model, torch::Device("cpu"), *loader, optimizer);
}



// CHECK:+#include <accel/accel.h>
// CHECK:+  accel::Accelerator accelerator;
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
// CHECK:+  train(model, accelerator.device(), *loader, optimizer);
