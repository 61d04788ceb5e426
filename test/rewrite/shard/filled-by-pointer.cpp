// A batch that is written through an accessor, a pointer or a view stays whole until then.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto x = torch::randn({100, 4});
  auto y = torch::randint(0, 2, {100});
  for (int64_t step = 0; step < 12; ++step) {
    auto batch = torch::empty({8, 4});
    auto target = torch::empty({8}, torch::kLong);
    auto entries = batch.accessor<float, 2>();
    auto* labels = target.data_ptr<int64_t>();
    for (int64_t i = 0; i < 8; ++i) {
      entries[i][0] = float(i);
      auto rest = batch.select(0, i).slice(0, 1, 4);
      rest.copy_(x[i].slice(0, 1, 4));
      labels[i] = i % 2;
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
