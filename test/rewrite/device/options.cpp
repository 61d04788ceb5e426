// Tensors are made on the device by options.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  torch::Device device(torch::kCUDA);
  auto options = torch::TensorOptions().dtype(torch::kFloat).device(device);
  auto a = torch::zeros({2}, options);
  auto b = torch::zeros({2}, device);
  auto c = torch::zeros({2}, torch::device(torch::kCUDA));
  auto d = torch::zeros({2}, torch::kCUDA);
  auto e = torch::zeros({2}, a.device());
  auto f = torch::zeros({2}, torch::kCPU);
  Net model;
  model->to(device);
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
// CHECK:-  torch::Device device(torch::kCUDA);
// CHECK:-  auto options = torch::TensorOptions().dtype(torch::kFloat).device(device);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  auto options = torch::TensorOptions().dtype(torch::kFloat).device(accelerator.device());
// CHECK:-  auto b = torch::zeros({2}, device);
// CHECK:-  auto c = torch::zeros({2}, torch::device(torch::kCUDA));
// CHECK:-  auto d = torch::zeros({2}, torch::kCUDA);
// CHECK:+  auto b = torch::zeros({2}, accelerator.device());
// CHECK:+  auto c = torch::zeros({2}, torch::device(accelerator.device()));
// CHECK:+  auto d = torch::zeros({2}, accelerator.device());
// CHECK:-  model->to(device);
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-    auto loss = torch::nll_loss(model->forward(batch.data.to(device)), batch.target.to(device));
// CHECK:-    loss.backward();
// CHECK:+    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
// CHECK:+    accelerator.backward(loss);
