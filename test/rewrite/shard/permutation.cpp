// Batches picked by a random permutation, the same on all processes.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto x = torch::randn({100, 4});
  auto y = torch::randint(0, 2, {100});
  for (int epoch = 0; epoch < 3; ++epoch) {
    auto order = torch::randperm(100);
    for (int64_t i = 0; i < 100; i += 10) {
      auto picked = order.slice(0, i, i + 10);
      auto loss = torch::nll_loss(model->forward(x.index_select(0, picked)), y.index({picked}));
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
    }
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:-      auto loss = torch::nll_loss(model->forward(x.index_select(0, picked)), y.index({picked}));
// CHECK:+      auto loss = torch::nll_loss(model->forward(accelerator.shard(x.index_select(0, picked))), accelerator.shard(y.index({picked})));
// CHECK:-      loss.backward();
// CHECK:+      accelerator.backward(loss);
