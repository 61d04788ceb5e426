// The parts of an Example are divided where they are put in.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto x = torch::randn({100, 4});
  auto y = torch::randint(0, 2, {100});
  for (int64_t i = 0; i < 96; i += 8) {
    torch::data::Example<> rows;
    rows.data = x.slice(0, i, i + 8);
    rows.target = y.slice(0, i, i + 8);
    auto batch = rows.data;
    auto target = rows.target;
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
// CHECK:-    rows.data = x.slice(0, i, i + 8);
// CHECK:-    rows.target = y.slice(0, i, i + 8);
// CHECK:+    rows.data = accelerator.shard(x.slice(0, i, i + 8));
// CHECK:+    rows.target = accelerator.shard(y.slice(0, i, i + 8));
// CHECK:-    torch::nll_loss(model->forward(batch), target).backward();
// CHECK:+    accelerator.backward(torch::nll_loss(model->forward(batch), target));
