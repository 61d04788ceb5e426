// A loader that is a member, made in the constructor: its spelled type fits the divided loader's.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

using Batches = decltype(torch::data::make_data_loader(rows(), 8));

struct Trainer {
  Trainer() : loader(torch::data::make_data_loader(rows(), 8)) {}

  void train() {
    torch::optim::SGD optimizer(model->parameters(), 0.1);
    for (auto& batch : *loader) {
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
// CHECK:-  Trainer() : loader(torch::data::make_data_loader(rows(), 8)) {}
// CHECK:+  Trainer() : loader(accel::Accelerator().make_data_loader(rows(), 8)) {}
// CHECK:-    torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:+    accel::Accelerator accelerator;
// CHECK:+    accelerator.prepare(model);
// CHECK:+    auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:-      loss.backward();
// CHECK:+      accelerator.backward(loss);
