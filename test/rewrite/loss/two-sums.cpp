// Two sums are a sum, whatever factors they have.
// RUN: %accel-rewrite --quiet %s -- %torch | %changes %s
#include "program.h"

int main() {
  const double beta = 0.5;
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto output = model->forward(batch.data);
    auto error = torch::nn::functional::mse_loss(
        output, torch::zeros_like(output), torch::nn::functional::MSELossFuncOptions().reduction(torch::kSum));
    auto divergence = -0.5 * torch::sum(1 + output - output.exp());
    auto loss = error + beta * divergence;
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
