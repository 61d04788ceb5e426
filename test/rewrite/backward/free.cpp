// torch::autograd::backward takes several losses, and so does the accelerator.
// RUN: %accel-rewrite --quiet %s -- %torch | %changes %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto a = torch::nll_loss(model->forward(batch.data), batch.target);
    auto b = torch::mse_loss(model->forward(batch.data), torch::zeros({batch.data.size(0), 2}));
    torch::autograd::backward({a, b});
    torch::autograd::backward({a + b});
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
// CHECK:-    torch::autograd::backward({a, b});
// CHECK:-    torch::autograd::backward({a + b});
// CHECK:+    accelerator.backward({a, b});
// CHECK:+    accelerator.backward(a + b);
