// The arguments of backward stay.
// RUN: %accel-rewrite --quiet %s -- %torch | %changes %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward({}, /*retain_graph=*/true);
    torch::nll_loss(model->forward(batch.data), batch.target, {}, torch::Reduction::Sum).backward({}, true);
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
// CHECK:-    loss.backward({}, /*retain_graph=*/true);
// CHECK:-    torch::nll_loss(model->forward(batch.data), batch.target, {}, torch::Reduction::Sum).backward({}, true);
// CHECK:+    accelerator.backward(loss, {}, /*retain_graph=*/true);
// CHECK:+    accelerator.backward(torch::nll_loss(model->forward(batch.data), batch.target, {}, torch::Reduction::Sum), {}, true, false, accel::Sum);
