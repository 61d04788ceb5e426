// A step through an accessor, in a method of another class.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

class Agent {
public:
  Agent() { optimizer_ = std::make_shared<torch::optim::Adam>(model_->parameters(), 1e-3); }
  std::shared_ptr<torch::optim::Adam> optimizer() { return optimizer_; }
  Net& model() { return model_; }

private:
  Net model_;
  std::shared_ptr<torch::optim::Adam> optimizer_;
};

int main() {
  Agent agent;
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    agent.optimizer()->zero_grad();
    auto loss = torch::nll_loss(agent.model()->forward(batch.data), batch.target);
    loss.backward();
    agent.optimizer()->step();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  Agent() { optimizer_ = std::make_shared<torch::optim::Adam>(model_->parameters(), 1e-3); }
// CHECK:+  Agent() { accel::Accelerator accelerator; accelerator.prepare(model_); optimizer_ = accelerator.prepare(std::make_shared<torch::optim::Adam>(model_->parameters(), 1e-3)); }
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss);
