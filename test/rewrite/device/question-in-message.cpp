// A message that says which device was chosen goes with the choice.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  auto cuda_available = torch::cuda::is_available();
  torch::Device device(cuda_available ? torch::kCUDA : torch::kCPU);
  std::cout << (cuda_available ? "Training on the GPU." : "Training on the CPU.") << '\n';

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
// CHECK:-  auto cuda_available = torch::cuda::is_available();
// CHECK:-  torch::Device device(cuda_available ? torch::kCUDA : torch::kCPU);
// CHECK:-  std::cout << (cuda_available ? "Training on the GPU." : "Training on the CPU.") << '\n';
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
