// A loader that a virtual function returns is followed to the functions that override it.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

using Loader = decltype(torch::data::make_data_loader(rows(), 8));

struct Data {
  virtual ~Data() = default;
  virtual Loader batches() = 0;
};

struct Ours : Data {
  Loader batches() override { return torch::data::make_data_loader(rows(), 8); }
};

void train(Data& data) {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = data.batches();
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  Loader batches() override { return torch::data::make_data_loader(rows(), 8); }
// CHECK:+  Loader batches() override { accel::Accelerator accelerator; return accelerator.make_data_loader(rows(), 8); }
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss);
