// A training loader that is used in a way that is not followed stays whole: each process takes its rows of a batch.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
  }
  auto first = loader->begin();
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:-    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
// CHECK:-    loss.backward();
// CHECK:+    auto loss = torch::nll_loss(model->forward(accelerator.shard(batch.data)), accelerator.shard(batch.target));
// CHECK:+    accelerator.backward(loss);
