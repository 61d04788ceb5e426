// The device is chosen by an if with messages, which go with it.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  torch::DeviceType device_type;
  if (torch::cuda::is_available()) {
    std::cout << "Training on the GPU." << std::endl;
    device_type = torch::kCUDA;
  } else {
    std::cout << "Training on the CPU." << std::endl;
    device_type = torch::kCPU;
  }
  torch::Device device(device_type);

  Net model;
  model->to(device);
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
// CHECK:-  torch::DeviceType device_type;
// CHECK:-  if (torch::cuda::is_available()) {
// CHECK:-    std::cout << "Training on the GPU." << std::endl;
// CHECK:-    device_type = torch::kCUDA;
// CHECK:-  } else {
// CHECK:-    std::cout << "Training on the CPU." << std::endl;
// CHECK:-    device_type = torch::kCPU;
// CHECK:-  }
// CHECK:-  torch::Device device(device_type);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:-  model->to(device);
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss);
