// An optimizer of the project's own.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

class SignSGD : public torch::optim::SGD {
public:
  using torch::optim::SGD::SGD;
  torch::Tensor step(LossClosure closure = nullptr) override {
    for (auto& group : param_groups())
      for (auto& parameter : group.params())
        parameter.mutable_grad() = parameter.grad().sign();
    return torch::optim::SGD::step(closure);
  }
};

int main() {
  Net model;
  SignSGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  SignSGD optimizer(model->parameters(), 0.1);
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(SignSGD(model->parameters(), 0.1));
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss);
