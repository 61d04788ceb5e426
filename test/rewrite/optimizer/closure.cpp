// A closure computes its gradients by the accelerator, and the optimizer sees the loss of all processes.
// RUN: %accel-rewrite --quiet %s -- %torch | %changes %s
#include "program.h"

int main() {
  Net model;
  torch::optim::LBFGS optimizer(model->parameters());
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    auto closure = [&] {
      optimizer.zero_grad();
      auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
      loss.backward();
      return loss;
    };
    optimizer.step(closure);
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::optim::LBFGS optimizer(model->parameters());
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::LBFGS(model->parameters()));
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-      loss.backward();
// CHECK:+      accelerator.backward(loss);
