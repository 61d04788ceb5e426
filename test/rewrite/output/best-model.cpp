// A save under a condition that might differ is the main process's alone, so that nobody waits.
// RUN: %accel-rewrite --quiet %s -- %torch | %changes %s
#include "program.h"

double evaluate(Net& model);

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    torch::nll_loss(model->forward(batch.data), batch.target).backward();
    optimizer.step();
  }
  double best = 0;
  double score = evaluate(model);
  if (score > best) {
    best = score;
    torch::save(model, "best.pt");
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-    torch::nll_loss(model->forward(batch.data), batch.target).backward();
// CHECK:+    accelerator.backward(torch::nll_loss(model->forward(batch.data), batch.target));
// CHECK:-    torch::save(model, "best.pt");
// CHECK:+    if (accelerator.is_main_process()) {
// CHECK:+      torch::save(model, "best.pt");
// CHECK:+    }
