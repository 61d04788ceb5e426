// Batches that a function of the program returns as a tuple.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

struct Replay {
  std::tuple<torch::Tensor, torch::Tensor> sample(int64_t rows) {
    return {torch::randn({rows, 4}), torch::randint(0, 2, {rows})};
  }
};

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  Replay replay;
  for (int step = 0; step < 10; ++step) {
    auto [x, y] = replay.sample(32);
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
// CHECK:-    auto [x, y] = replay.sample(32);
// CHECK:+    auto [x, y] = accelerator.shard(replay.sample(32));
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss);
