// Each arm of an if has its backward.
// RUN: %accel-rewrite --quiet %s -- %torch | %changes %s
#include "program.h"

int main(int argc, char**) {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto output = model->forward(batch.data);
    if (argc > 1)
      torch::nll_loss(output, batch.target).backward();
    else
      torch::mse_loss(output, torch::zeros_like(output)).backward();
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
// CHECK:-      torch::nll_loss(output, batch.target).backward();
// CHECK:+      accelerator.backward(torch::nll_loss(output, batch.target));
// CHECK:-      torch::mse_loss(output, torch::zeros_like(output)).backward();
// CHECK:+      accelerator.backward(torch::mse_loss(output, torch::zeros_like(output)));
