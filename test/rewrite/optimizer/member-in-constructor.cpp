// A member that is initialised by the constructor gets the prepared type.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

class Trainer {
public:
  explicit Trainer(double rate) : optimizer_(model_->parameters(), torch::optim::AdamOptions(rate)) {
    model_->to(torch::kCUDA);
  }

  void train() {
    auto loader = torch::data::make_data_loader(rows(), 8);
    for (auto& batch : *loader) {
      optimizer_.zero_grad();
      auto loss = torch::nll_loss(model_->forward(batch.data), batch.target);
      loss.backward();
      optimizer_.step();
    }
  }

private:
  Net model_;
  torch::optim::Adam optimizer_;
};

int main() { Trainer(1e-3).train(); }



// CHECK:+#include <accel/accel.h>
// CHECK:-  explicit Trainer(double rate) : optimizer_(model_->parameters(), torch::optim::AdamOptions(rate)) {
// CHECK:-    model_->to(torch::kCUDA);
// CHECK:+  explicit Trainer(double rate) : optimizer_(accel::Accelerator().prepare(torch::optim::Adam(model_->parameters(), torch::optim::AdamOptions(rate)))) {
// CHECK:+    accel::Accelerator accelerator;
// CHECK:+    accelerator.prepare(model_);
// CHECK:-    auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+    accel::Accelerator accelerator;
// CHECK:+    auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-      loss.backward();
// CHECK:+      accelerator.backward(loss);
// CHECK:-  torch::optim::Adam optimizer_;
// CHECK:+  accel::PreparedOptimizer<torch::optim::Adam> optimizer_;
