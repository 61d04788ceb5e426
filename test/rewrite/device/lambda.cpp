// A lambda captures the accelerator instead of the device.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  torch::Device device(torch::kCUDA);
  auto ones = [device](int64_t n) { return torch::ones({n}, device); };
  auto zeros = [&device](int64_t n) { return torch::zeros({n}, device); };
  auto twos = [&](int64_t n) { return torch::full({n}, 2, torch::dtype(torch::kFloat).device(device)); };
  auto weight = ones(2) + zeros(2) + twos(2);
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
// CHECK:-  auto ones = [device](int64_t n) { return torch::ones({n}, device); };
// CHECK:-  auto zeros = [&device](int64_t n) { return torch::zeros({n}, device); };
// CHECK:-  auto twos = [&](int64_t n) { return torch::full({n}, 2, torch::dtype(torch::kFloat).device(device)); };
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  auto ones = [accelerator](int64_t n) { return torch::ones({n}, accelerator.device()); };
// CHECK:+  auto zeros = [&accelerator](int64_t n) { return torch::zeros({n}, accelerator.device()); };
// CHECK:+  auto twos = [&](int64_t n) { return torch::full({n}, 2, torch::dtype(torch::kFloat).device(accelerator.device())); };
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
