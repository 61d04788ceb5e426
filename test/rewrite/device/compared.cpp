// A device with an index never equals a kind of device: its kind is compared.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
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
  if (device == torch::kCUDA)
    std::puts("done on a GPU");
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
// CHECK:+  accel::Accelerator accelerator;
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
// CHECK:-  if (device == torch::kCUDA)
// CHECK:-    std::puts("done on a GPU");
// CHECK:+  if (accelerator.device().type() == torch::kCUDA)
// CHECK:+    accelerator.print("done on a GPU");
