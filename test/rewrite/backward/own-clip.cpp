// A clip function of the program's own stays: the gradients that it reads are those of all processes.
// RUN: %accel-rewrite --quiet %s -- %torch | %changes %s
#include "program.h"

double clip_grad_norm_(const std::vector<torch::Tensor>& parameters, double limit) {
  double norm = 0;
  for (const auto& parameter : parameters)
    norm += parameter.grad().norm().item<double>();
  for (const auto& parameter : parameters)
    if (norm > limit)
      parameter.grad().mul_(limit / norm);
  return norm;
}

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    torch::nll_loss(model->forward(batch.data), batch.target).backward();
    clip_grad_norm_(model->parameters(), 1.0);
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
// CHECK:-    torch::nll_loss(model->forward(batch.data), batch.target).backward();
// CHECK:+    accelerator.backward(torch::nll_loss(model->forward(batch.data), batch.target));
