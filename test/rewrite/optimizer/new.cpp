// An optimizer that is made by new.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  Net model;
  torch::optim::Optimizer* first = new torch::optim::SGD(model->parameters(), 0.1);
  std::unique_ptr<torch::optim::Adam> second(new torch::optim::Adam(model->parameters()));
  auto third = std::shared_ptr<torch::optim::Optimizer>(new torch::optim::Adam(model->parameters()));
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
    first->step();
    second->step();
    third->step();
  }
  delete first;
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::optim::Optimizer* first = new torch::optim::SGD(model->parameters(), 0.1);
// CHECK:-  std::unique_ptr<torch::optim::Adam> second(new torch::optim::Adam(model->parameters()));
// CHECK:-  auto third = std::shared_ptr<torch::optim::Optimizer>(new torch::optim::Adam(model->parameters()));
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  torch::optim::Optimizer* first = accelerator.prepare(std::unique_ptr<torch::optim::SGD>(new torch::optim::SGD(model->parameters(), 0.1))).release();
// CHECK:+  auto second = accelerator.prepare(std::unique_ptr<torch::optim::Adam>(new torch::optim::Adam(model->parameters())));
// CHECK:+  auto third = accelerator.prepare(std::shared_ptr<torch::optim::Optimizer>(new torch::optim::Adam(model->parameters())));
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss);
