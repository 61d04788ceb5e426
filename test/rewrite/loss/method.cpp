// A model that computes its own loss is looked into.
// RUN: %accel-rewrite --quiet %s -- %torch | %changes %s
#include "program.h"

struct ClassifierImpl : torch::nn::Module {
  ClassifierImpl() : net(register_module("net", Net())) {}
  torch::Tensor loss(torch::Tensor x, torch::Tensor y) {
    return torch::nll_loss(net->forward(x), y, {}, torch::Reduction::Sum);
  }
  Net net;
};
TORCH_MODULE(Classifier);

int main() {
  Classifier model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = model->loss(batch.data, batch.target);
    loss.backward();
    optimizer.step();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss, accel::Sum);
