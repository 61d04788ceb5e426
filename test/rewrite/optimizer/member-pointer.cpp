// A member behind a pointer keeps its type, whether it is assigned, reset or initialised.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

class Trainer {
public:
  Trainer() : third_(new torch::optim::SGD(model_->parameters(), 0.1)) {
    first_ = std::make_unique<torch::optim::Adam>(model_->parameters(), 1e-3);
    second_.reset(new torch::optim::SGD(model_->parameters(), 0.2));
  }

  void train() {
    auto loader = torch::data::make_data_loader(rows(), 8);
    for (auto& batch : *loader) {
      auto loss = torch::nll_loss(model_->forward(batch.data), batch.target);
      loss.backward();
      first_->step();
      second_->step();
      third_->step();
    }
  }

private:
  Net model_;
  std::unique_ptr<torch::optim::Optimizer> first_;
  std::shared_ptr<torch::optim::SGD> second_;
  std::unique_ptr<torch::optim::SGD> third_;
};

int main() { Trainer().train(); }



// CHECK:+#include <accel/accel.h>
// CHECK:-  Trainer() : third_(new torch::optim::SGD(model_->parameters(), 0.1)) {
// CHECK:-    first_ = std::make_unique<torch::optim::Adam>(model_->parameters(), 1e-3);
// CHECK:-    second_.reset(new torch::optim::SGD(model_->parameters(), 0.2));
// CHECK:+  Trainer() : third_(accel::Accelerator().prepare(std::unique_ptr<torch::optim::SGD>(new torch::optim::SGD(model_->parameters(), 0.1)))) {
// CHECK:+    accel::Accelerator accelerator;
// CHECK:+    accelerator.prepare(model_);
// CHECK:+    first_ = accelerator.prepare(std::make_unique<torch::optim::Adam>(model_->parameters(), 1e-3));
// CHECK:+    second_.reset(accelerator.prepare(std::unique_ptr<torch::optim::SGD>(new torch::optim::SGD(model_->parameters(), 0.2))).release());
// CHECK:-    auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+    accel::Accelerator accelerator;
// CHECK:+    auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-      loss.backward();
// CHECK:+      accelerator.backward(loss);
