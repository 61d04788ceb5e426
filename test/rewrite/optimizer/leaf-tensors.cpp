// Tensors without a model: the prepared optimizer makes them the same on all processes.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  auto weight = torch::zeros({4, 2}, torch::requires_grad());
  auto bias = torch::zeros({2}, torch::requires_grad());
  torch::optim::SGD optimizer({weight, bias}, 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(torch::log_softmax(batch.data.matmul(weight) + bias, 1), batch.target);
    loss.backward();
    optimizer.step();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::optim::SGD optimizer({weight, bias}, 0.1);
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD({weight, bias}, 0.1));
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss);
