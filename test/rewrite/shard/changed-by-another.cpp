// What is added to a batch in place has its rows: both stay whole until then.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto x = torch::randn({100, 4});
  auto y = torch::randint(0, 2, {100});
  for (int64_t i = 0; i < 96; i += 8) {
    auto batch = x.slice(0, i, i + 8).clone();
    auto target = y.slice(0, i, i + 8);
    batch.add_(torch::randn({8, 4}));
    batch.mul_(0.5);
    optimizer.zero_grad();
    torch::nll_loss(model->forward(batch), target).backward();
    optimizer.step();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:-    auto target = y.slice(0, i, i + 8);
// CHECK:+    auto target = accelerator.shard(y.slice(0, i, i + 8));
// CHECK:-    torch::nll_loss(model->forward(batch), target).backward();
// CHECK:+    accelerator.backward(torch::nll_loss(model->forward(accelerator.shard(batch)), target));
