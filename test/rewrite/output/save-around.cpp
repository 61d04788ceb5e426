// What calls the training saves, too: on the main process only.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

struct Trainer {
  Net model;
  torch::optim::SGD optimizer{model->parameters(), 0.1};

  void train() {
    auto loader = torch::data::make_data_loader(rows(), 8);
    for (auto& batch : *loader) {
      optimizer.zero_grad();
      auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
      loss.backward();
      optimizer.step();
    }
  }
};

int main() {
  Trainer trainer;
  trainer.train();
  torch::save(trainer.model, "model.pt");
  std::cout << "saved\n";
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::optim::SGD optimizer{model->parameters(), 0.1};
// CHECK:+  accel::PreparedOptimizer<torch::optim::SGD> optimizer{accel::Accelerator().prepare(torch::optim::SGD{model->parameters(), 0.1})};
// CHECK:-    auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+    accel::Accelerator accelerator;
// CHECK:+    accelerator.prepare(model);
// CHECK:+    auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-      loss.backward();
// CHECK:+      accelerator.backward(loss);
// CHECK:-  torch::save(trainer.model, "model.pt");
// CHECK:-  std::cout << "saved\n";
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.save(trainer.model, "model.pt");
// CHECK:+  accelerator.cout() << "saved\n";
