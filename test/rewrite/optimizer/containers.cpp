// Optimizers in containers: those by value get the prepared type, those behind pointers stay.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

#include <map>
#include <optional>

int main() {
  Net model;
  std::vector<torch::optim::SGD> list;
  list.emplace_back(model->parameters(), 0.1);
  list.push_back(torch::optim::SGD(model->parameters(), 0.2));
  std::map<std::string, std::unique_ptr<torch::optim::Optimizer>> named;
  named["model"] = std::make_unique<torch::optim::Adam>(model->parameters());
  std::optional<torch::optim::Adam> maybe;
  maybe.emplace(model->parameters(), 1e-3);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
    for (auto& optimizer : list)
      optimizer.step();
    for (auto& [name, optimizer] : named)
      optimizer->step();
    maybe->step();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  std::vector<torch::optim::SGD> list;
// CHECK:-  list.emplace_back(model->parameters(), 0.1);
// CHECK:-  list.push_back(torch::optim::SGD(model->parameters(), 0.2));
// CHECK:+  std::vector<accel::PreparedOptimizer<torch::optim::SGD>> list;
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  list.emplace_back(accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1)));
// CHECK:+  list.push_back(accelerator.prepare(torch::optim::SGD(model->parameters(), 0.2)));
// CHECK:-  named["model"] = std::make_unique<torch::optim::Adam>(model->parameters());
// CHECK:-  std::optional<torch::optim::Adam> maybe;
// CHECK:-  maybe.emplace(model->parameters(), 1e-3);
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  named["model"] = accelerator.prepare(std::make_unique<torch::optim::Adam>(model->parameters()));
// CHECK:+  std::optional<accel::PreparedOptimizer<torch::optim::Adam>> maybe;
// CHECK:+  maybe.emplace(accelerator.prepare(torch::optim::Adam(model->parameters(), 1e-3)));
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss);
