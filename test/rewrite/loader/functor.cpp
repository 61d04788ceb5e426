// A loader of the program's own, called for each batch.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

struct Batches {
  bool operator()(std::tuple<torch::Tensor, torch::Tensor>& batch) {
    batch = {x.slice(0, next, next + 8), y.slice(0, next, next + 8)};
    return (next += 8) < x.size(0);
  }
  torch::Tensor x = torch::randn({100, 4}), y = torch::zeros({100}, torch::kLong);
  int64_t next = 0;
};

int main() {
  torch::Device device(torch::kCPU);
  Net model;
  model->to(device);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  Batches loader;
  std::tuple<torch::Tensor, torch::Tensor> batch;
  while (loader(batch)) {
    auto inputs = std::get<0>(batch).to(device), targets = std::get<1>(batch).to(device);
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
// CHECK:-    auto inputs = std::get<0>(batch).to(device), targets = std::get<1>(batch).to(device);
// CHECK:+    auto inputs = accelerator.shard(std::get<0>(batch)), targets = accelerator.shard(std::get<1>(batch));
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss);
