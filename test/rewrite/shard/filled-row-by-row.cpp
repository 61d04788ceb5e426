// A batch that is written row by row stays whole until its last row is there.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto x = torch::randn({100, 4});
  auto y = torch::randint(0, 2, {100});
  auto order = torch::randperm(100);
  auto target = torch::zeros({8}, torch::kLong);
  for (int64_t step = 0; step < 12; ++step) {
    auto batch = torch::zeros({8, 4});
    for (int64_t i = 0; i < batch.size(0); ++i) {
      batch[i] = x[order[step * 8 + i]];
      target.index_put_({i}, y[order[step * 8 + i]]);
    }
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
// CHECK:-    torch::nll_loss(model->forward(batch), target).backward();
// CHECK:+    accelerator.backward(torch::nll_loss(model->forward(accelerator.shard(batch)), accelerator.shard(target)));
