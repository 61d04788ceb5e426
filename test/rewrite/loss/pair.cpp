// A function that returns the loss beside other things.
// RUN: %accel-rewrite --quiet %s -- %torch | %changes %s
#include "program.h"

std::tuple<torch::Tensor, torch::Tensor> evaluate(Net& model, const torch::Tensor& x, const torch::Tensor& y) {
  auto output = model->forward(x);
  return {output, torch::nll_loss(output, y, {}, torch::Reduction::Sum)};
}

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto [output, loss] = evaluate(model, batch.data, batch.target);
    loss.backward();
    optimizer.step();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss, accel::Sum);
