// A condition of counters and constants is the same on all processes, so a mean may stand in it.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  const int interval = 10;
  size_t count = 0;
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
    if (++count % interval == 0)
      std::printf("%zu: %f\n", count, loss.item<float>());
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
// CHECK:+    accelerator.backward(loss);
// CHECK:-      std::printf("%zu: %f\n", count, loss.item<float>());
// CHECK:+      accelerator.printf("%zu: %f\n", count, accelerator.mean(loss).item<float>());
