// A loop from a loader's begin to its end.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  torch::Device device(torch::kCPU);
  Net model;
  model->to(device);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto it = loader->begin(); it != loader->end(); ++it) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(it->data.to(device)), it->target.to(device));
    loss.backward();
    optimizer.step();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::Device device(torch::kCPU);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:-  model->to(device);
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-    auto loss = torch::nll_loss(model->forward(it->data.to(device)), it->target.to(device));
// CHECK:-    loss.backward();
// CHECK:+    auto loss = torch::nll_loss(model->forward(it->data), it->target);
// CHECK:+    accelerator.backward(loss);
