// A member that is assigned a loader, and read through a reference.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

using Batches = decltype(torch::data::make_data_loader(rows(), 8));

struct Trainer {
  void train() {
    loader = torch::data::make_data_loader(rows(), 8);
    torch::optim::SGD optimizer(model->parameters(), 0.1);
    auto& batches = *loader;
    for (auto& batch : batches) {
      optimizer.zero_grad();
      auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
      loss.backward();
      optimizer.step();
    }
  }

  Net model;
  Batches loader;
};



// CHECK:+#include <accel/accel.h>
// CHECK:-    loader = torch::data::make_data_loader(rows(), 8);
// CHECK:-    torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:+    accel::Accelerator accelerator;
// CHECK:+    loader = accelerator.make_data_loader(rows(), 8);
// CHECK:+    accelerator.prepare(model);
// CHECK:+    auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:-      loss.backward();
// CHECK:+      accelerator.backward(loss);
