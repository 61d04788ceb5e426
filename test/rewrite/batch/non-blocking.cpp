// A batch that is placed without waiting.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  torch::Device device(torch::kCUDA);
  Net model;
  model->to(device);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data.to(device, /*non_blocking=*/true)), batch.target.to(device, torch::kLong, true));
    loss.backward();
    optimizer.step();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::Device device(torch::kCUDA);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:-  model->to(device);
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-    auto loss = torch::nll_loss(model->forward(batch.data.to(device, /*non_blocking=*/true)), batch.target.to(device, torch::kLong, true));
// CHECK:-    loss.backward();
// CHECK:+    auto loss = torch::nll_loss(model->forward(batch.data), batch.target.to(torch::kLong, true));
// CHECK:+    accelerator.backward(loss);
