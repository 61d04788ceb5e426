// A training function for any optimizer, and one for a reference to the base class.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

template <typename Loader, typename Optimizer>
void train(Net& model, Loader& loader, Optimizer& optimizer, torch::optim::Optimizer& second) {
  for (auto& batch : loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
    second.step();
  }
}

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  torch::optim::Adam adam(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  train(model, *loader, adam, optimizer);
  train(model, *loader, optimizer, adam);
}



// CHECK:+#include <accel/accel.h>
// CHECK:+  accel::Accelerator accelerator;
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss);
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:-  torch::optim::Adam adam(model->parameters(), 0.1);
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:+  auto adam = accelerator.prepare(torch::optim::Adam(model->parameters(), 0.1));
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
