// A member that callers out of view choose.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

class Trainer {
public:
  explicit Trainer(torch::Device device) : device_(device) {}

  void train() {
    Net model;
    model->to(device_);
    torch::optim::SGD optimizer(model->parameters(), 0.1);
    auto loader = torch::data::make_data_loader(rows(), 8);
    for (auto& batch : *loader) {
      optimizer.zero_grad();
      auto loss = torch::nll_loss(model->forward(batch.data.to(device_)), batch.target.to(device_));
      loss.backward();
      optimizer.step();
    }
  }

private:
  torch::Device device_;
};



// CHECK:+#include <accel/accel.h>
// CHECK:-  explicit Trainer(torch::Device device) : device_(device) {}
// CHECK:+  explicit Trainer(torch::Device device) : device_(accel::Accelerator().device()) {}
// CHECK:-    model->to(device_);
// CHECK:-    torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:-    auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+    accel::Accelerator accelerator;
// CHECK:+    accelerator.prepare(model);
// CHECK:+    auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:+    auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-      auto loss = torch::nll_loss(model->forward(batch.data.to(device_)), batch.target.to(device_));
// CHECK:-      loss.backward();
// CHECK:+      auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
// CHECK:+      accelerator.backward(loss);
