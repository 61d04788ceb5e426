// Parameter groups of two models, in an optimizer that is made in each epoch.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  Net model, head;
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (int epoch = 0; epoch < 3; ++epoch) {
    std::vector<torch::optim::OptimizerParamGroup> groups;
    groups.push_back(torch::optim::OptimizerParamGroup(model->parameters()));
    groups.emplace_back(head->parameters(), std::make_unique<torch::optim::SGDOptions>(0.01));
    torch::optim::SGD optimizer(groups, torch::optim::SGDOptions(0.1));
    for (auto& batch : *loader) {
      optimizer.zero_grad();
      auto loss = torch::nll_loss(model->forward(batch.data) + head->forward(batch.data), batch.target);
      loss.backward();
      optimizer.step();
    }
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-    torch::optim::SGD optimizer(groups, torch::optim::SGDOptions(0.1));
// CHECK:+    accelerator.prepare(model);
// CHECK:+    accelerator.prepare(head);
// CHECK:+    auto optimizer = accelerator.prepare(torch::optim::SGD(groups, torch::optim::SGDOptions(0.1)));
// CHECK:-      loss.backward();
// CHECK:+      accelerator.backward(loss);
