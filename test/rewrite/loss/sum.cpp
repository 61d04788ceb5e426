// A running sum of losses is reduced once, where it is read.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  double total = 0;
  int count = 0;
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
    total += loss.item<double>();
    ++count;
  }
  std::printf("mean loss %f\n", total / count);
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss);
// CHECK:-    total += loss.item<double>();
// CHECK:+    total += accelerator.share(loss).item<double>();
// CHECK:-  std::printf("mean loss %f\n", total / count);
// CHECK:+  total = accelerator.reduce(total, accel::Sum);
// CHECK:+  accelerator.printf("mean loss %f\n", total / count);
