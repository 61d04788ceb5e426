// The device is chosen among several kinds.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  torch::Device device = torch::kCPU;
  if (torch::cuda::is_available()) {
    std::cout << "Using CUDA" << std::endl;
    device = torch::kCUDA;
  } else if (torch::hasXLA()) {
    std::cout << "Using XLA" << std::endl;
    device = torch::kXLA;
  } else {
    std::cout << "Using CPU" << std::endl;
  }

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
// CHECK:-  torch::Device device = torch::kCPU;
// CHECK:-  if (torch::cuda::is_available()) {
// CHECK:-    std::cout << "Using CUDA" << std::endl;
// CHECK:-    device = torch::kCUDA;
// CHECK:-  } else if (torch::hasXLA()) {
// CHECK:-    std::cout << "Using XLA" << std::endl;
// CHECK:-    device = torch::kXLA;
// CHECK:-  } else {
// CHECK:-    std::cout << "Using CPU" << std::endl;
// CHECK:-  }
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
