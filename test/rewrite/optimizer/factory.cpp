// Optimizers that functions of the project make.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

std::unique_ptr<torch::optim::Optimizer> make_optimizer(Net& model, bool adaptive) {
  if (adaptive)
    return std::make_unique<torch::optim::Adam>(model->parameters(), 1e-3);
  return std::make_unique<torch::optim::SGD>(model->parameters(), 0.1);
}

torch::optim::SGD make_second(Net& model) { return torch::optim::SGD(model->parameters(), 0.1); }

int main() {
  Net model;
  auto optimizer = make_optimizer(model, true);
  auto second = make_second(model);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer->zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
    optimizer->step();
    second.step();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:-    return std::make_unique<torch::optim::Adam>(model->parameters(), 1e-3);
// CHECK:-  return std::make_unique<torch::optim::SGD>(model->parameters(), 0.1);
// CHECK:+    return accelerator.prepare(std::make_unique<torch::optim::Adam>(model->parameters(), 1e-3));
// CHECK:+  return accelerator.prepare(std::make_unique<torch::optim::SGD>(model->parameters(), 0.1));
// CHECK:-torch::optim::SGD make_second(Net& model) { return torch::optim::SGD(model->parameters(), 0.1); }
// CHECK:+accel::PreparedOptimizer<torch::optim::SGD> make_second(Net& model) { accel::Accelerator accelerator; accelerator.prepare(model); return accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1)); }
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss);
