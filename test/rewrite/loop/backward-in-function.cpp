// The loop is in main, its step in a function.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

void train_step(Net& model, torch::optim::Optimizer& optimizer, torch::data::Example<>& batch) {
  optimizer.zero_grad();
  auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
  loss.backward();
  optimizer.step();
}

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader)
    train_step(model, optimizer, batch);
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  loss.backward();
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.backward(loss);
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
