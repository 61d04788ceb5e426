// All rows in every step: they are divided where the step reads them.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto x = torch::randn({100, 4});
  auto y = torch::randint(0, 2, {100});
  for (int step = 0; step < 10; ++step) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(x), y);
    loss.backward();
    optimizer.step();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:-    auto loss = torch::nll_loss(model->forward(x), y);
// CHECK:-    loss.backward();
// CHECK:+    auto loss = torch::nll_loss(model->forward(accelerator.shard(x)), accelerator.shard(y));
// CHECK:+    accelerator.backward(loss);
