// A lambda that is only called belongs to the loop; it captures the accelerator that it now names.
// RUN: %accel-rewrite --quiet %s -- %torch | %changes %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    auto run = [&] { loss.backward(); };
    run();
    [&loss] { (loss * 2).backward(); }();
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
// CHECK:-    auto run = [&] { loss.backward(); };
// CHECK:+    auto run = [&] { accelerator.backward(loss); };
// CHECK:-    [&loss] { (loss * 2).backward(); }();
// CHECK:+    [&loss, &accelerator] { accelerator.backward(loss * 2); }();
