// A TorchScript module, whose parameters are collected by hand.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

#include <torch/script.h>

int main() {
  torch::jit::Module module = torch::jit::load("model.pt");
  std::vector<torch::Tensor> parameters;
  for (const auto& parameter : module.parameters())
    parameters.push_back(parameter);
  torch::optim::SGD optimizer(parameters, 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(module.forward({batch.data}).toTensor(), batch.target);
    loss.backward();
    optimizer.step();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::optim::SGD optimizer(parameters, 0.1);
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(module);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(parameters, 0.1));
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss);
