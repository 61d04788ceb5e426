// A loader that a macro's body makes stays whole: each process takes its rows of a batch.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

#define MAKE_LOADER(set, size) torch::data::make_data_loader(set, size)

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = MAKE_LOADER(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    torch::nll_loss(model->forward(batch.data), batch.target).backward();
    optimizer.step();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:-    torch::nll_loss(model->forward(batch.data), batch.target).backward();
// CHECK:+    accelerator.backward(torch::nll_loss(model->forward(accelerator.shard(batch.data)), accelerator.shard(batch.target)));
