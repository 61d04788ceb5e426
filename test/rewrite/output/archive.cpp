// A file that a class of libtorch writes is written by the main process.
// RUN: %accel-rewrite --quiet %s -- %torch | %changes %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    torch::nll_loss(model->forward(batch.data), batch.target).backward();
    optimizer.step();
  }
  torch::serialize::OutputArchive archive;
  model->save(archive);
  archive.save_to("model.pt");
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
// CHECK:-  archive.save_to("model.pt");
// CHECK:+  if (accelerator.is_main_process()) {
// CHECK:+    archive.save_to("model.pt");
// CHECK:+  }
