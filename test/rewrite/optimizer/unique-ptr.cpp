// An optimizer behind a pointer keeps its declared type.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  Net model;
  std::unique_ptr<torch::optim::Optimizer> optimizer = std::make_unique<torch::optim::SGD>(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer->zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
    optimizer->step();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  std::unique_ptr<torch::optim::Optimizer> optimizer = std::make_unique<torch::optim::SGD>(model->parameters(), 0.1);
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  std::unique_ptr<torch::optim::Optimizer> optimizer = accelerator.prepare(std::make_unique<torch::optim::SGD>(model->parameters(), 0.1));
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss);
