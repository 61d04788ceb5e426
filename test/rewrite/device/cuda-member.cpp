// Tensors are moved by cuda().
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  auto weight = torch::ones({2}).cuda();
  Net model;
  model->to(torch::kCUDA);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data.cuda()), batch.target.cuda(), weight);
    loss.backward();
    optimizer.step();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  model->to(torch::kCUDA);
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-    auto loss = torch::nll_loss(model->forward(batch.data.cuda()), batch.target.cuda(), weight);
// CHECK:-    loss.backward();
// CHECK:+    auto loss = torch::nll_loss(model->forward(batch.data), batch.target, weight);
// CHECK:+    accelerator.backward(loss);
