// A device in a struct stays there, and is the accelerator's.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

struct Options {
  torch::Device device = torch::kCUDA;
  double lr = 0.1;
};

int main() {
  Options options;
  Net model;
  model->to(options.device);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data.to(options.device)), batch.target);
    loss.backward();
    optimizer.step();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::Device device = torch::kCUDA;
// CHECK:+  torch::Device device = accel::Accelerator().device();
// CHECK:-  model->to(options.device);
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-    auto loss = torch::nll_loss(model->forward(batch.data.to(options.device)), batch.target);
// CHECK:-    loss.backward();
// CHECK:+    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
// CHECK:+    accelerator.backward(loss);
