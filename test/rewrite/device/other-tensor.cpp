// A tensor that no loader has moved goes to the device of the accelerator.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  torch::Device device(torch::kCPU);
  Net model;
  auto weight = torch::ones({2}).to(device);
  auto bias = torch::zeros({2}, torch::dtype(torch::kFloat).device(device));
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::Device device(torch::kCPU);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:-  auto weight = torch::ones({2}).to(device);
// CHECK:-  auto bias = torch::zeros({2}, torch::dtype(torch::kFloat).device(device));
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  auto weight = torch::ones({2}).to(accelerator.device());
// CHECK:+  auto bias = torch::zeros({2}, torch::dtype(torch::kFloat).device(accelerator.device()));
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss);
