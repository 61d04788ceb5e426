// A loader that a virtual function returns stays whole: each process takes its rows of a batch.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

using Loader = decltype(torch::data::make_data_loader(rows(), 8));

struct Data {
  virtual ~Data() = default;
  virtual Loader batches() = 0;
};

void train(Data& data) {
  torch::Device device(torch::kCPU);
  Net model;
  model->to(device);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = data.batches();
  for (auto& batch : *loader) {
    auto inputs = batch.data.to(device), targets = batch.target.to(device);
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(inputs), targets);
    loss.backward();
    optimizer.step();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::Device device(torch::kCPU);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:-  model->to(device);
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:-    auto inputs = batch.data.to(device), targets = batch.target.to(device);
// CHECK:+    auto inputs = accelerator.shard(batch.data), targets = accelerator.shard(batch.target);
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss);
