// Batches put together from single rows.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  Rows data;
  for (int step = 0; step < 10; ++step) {
    std::vector<torch::Tensor> inputs, targets;
    for (int i = 0; i < 8; ++i) {
      auto row = data.get(step * 8 + i);
      inputs.push_back(row.data);
      targets.push_back(row.target);
    }
    auto x = torch::stack(inputs);
    auto y = torch::stack(targets);
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
// CHECK:-    auto x = torch::stack(inputs);
// CHECK:-    auto y = torch::stack(targets);
// CHECK:+    auto x = accelerator.shard(torch::stack(inputs));
// CHECK:+    auto y = accelerator.shard(torch::stack(targets));
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss);
