// Parameters that are collected by hand: their model is found behind the list.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  Net model;
  std::vector<torch::Tensor> parameters;
  for (auto& parameter : model->parameters())
    parameters.push_back(parameter);
  torch::optim::SGD optimizer(parameters, 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::optim::SGD optimizer(parameters, 0.1);
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(parameters, 0.1));
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss);
