// What each step sets anew isn't carried from the last one.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto x = torch::randn({100, 4});
  auto y = torch::randint(0, 2, {100});
  torch::Tensor loss = torch::zeros({1});
  for (int64_t i = 0; i < 100; i += 10) {
    loss = torch::nll_loss(model->forward(x.slice(0, i, i + 10)), y.slice(0, i, i + 10));
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:-    loss = torch::nll_loss(model->forward(x.slice(0, i, i + 10)), y.slice(0, i, i + 10));
// CHECK:+    loss = torch::nll_loss(model->forward(accelerator.shard(x.slice(0, i, i + 10))), accelerator.shard(y.slice(0, i, i + 10)));
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss);
