// Noise drawn in the step has as many rows as the process's part of the batch.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto x = torch::randn({100, 4});
  for (int64_t i = 0; i < 100; i += 10) {
    auto real = x.slice(0, i, i + 10);
    auto noise = torch::randn({real.size(0), 4});
    auto fake = torch::zeros({10, 2});
    optimizer.zero_grad();
    auto loss = torch::mse_loss(model->forward(real + noise), fake);
    loss.backward();
    optimizer.step();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:-    auto real = x.slice(0, i, i + 10);
// CHECK:+    auto real = accelerator.shard(x.slice(0, i, i + 10));
// CHECK:-    auto fake = torch::zeros({10, 2});
// CHECK:+    auto fake = accelerator.shard(torch::zeros({10, 2}));
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss);
