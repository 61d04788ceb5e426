// Batches sliced by hand: each process takes its rows of them.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  torch::Device device(torch::kCPU);
  Net model;
  model->to(device);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto x = torch::randn({100, 4});
  auto y = torch::randint(0, 2, {100});
  for (int64_t i = 0; i < x.size(0); i += 10) {
    auto inputs = x.slice(0, i, i + 10).to(device);
    auto targets = y.narrow(0, i, 10).to(device);
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(inputs), targets);
    loss.backward();
    optimizer.step();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::Device device(torch::kCPU);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:-  model->to(device);
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:-    auto inputs = x.slice(0, i, i + 10).to(device);
// CHECK:-    auto targets = y.narrow(0, i, 10).to(device);
// CHECK:+    auto inputs = accelerator.shard(x.slice(0, i, i + 10));
// CHECK:+    auto targets = accelerator.shard(y.narrow(0, i, 10));
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss);
