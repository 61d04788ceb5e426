// Batches in a class of the program's own: each tensor is divided where it is read.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

struct Batch {
  torch::Tensor states, actions;
};
Batch next_batch() { return {torch::randn({8, 4}), torch::randint(0, 2, {8})}; }

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  for (int step = 0; step < 10; ++step) {
    auto batch = next_batch();
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.states), batch.actions);
    loss.backward();
    optimizer.step();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:-    auto loss = torch::nll_loss(model->forward(batch.states), batch.actions);
// CHECK:-    loss.backward();
// CHECK:+    auto loss = torch::nll_loss(model->forward(accelerator.shard(batch.states)), accelerator.shard(batch.actions));
// CHECK:+    accelerator.backward(loss);
