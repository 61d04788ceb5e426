// A trainer's own function joins examples to a batch, of which each process takes its rows.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

#include <functional>

using Collate = std::function<torch::data::Example<>(std::vector<torch::data::Example<>>)>;
using Loader = torch::data::StatelessDataLoader<Rows, torch::data::samplers::RandomSampler>;

struct Trainer {
  Trainer(std::unique_ptr<Loader> loader, Collate collate)
      : loader(std::move(loader)), collate(std::move(collate)) {}

  void train(Net& model, torch::optim::Optimizer& optimizer) {
    for (auto& examples : *loader) {
      auto batch = collate(examples);
      optimizer.zero_grad();
      auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
      loss.backward();
      optimizer.step();
    }
  }

  std::unique_ptr<Loader> loader;
  Collate collate;
};

std::unique_ptr<Loader> make_loader();
Collate make_collate();

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  Trainer trainer(make_loader(), make_collate());
  trainer.train(model, optimizer);
}



// CHECK:+#include <accel/accel.h>
// CHECK:+    accel::Accelerator accelerator;
// CHECK:-      auto batch = collate(examples);
// CHECK:+      auto batch = accelerator.shard(collate(examples));
// CHECK:-      loss.backward();
// CHECK:+      accelerator.backward(loss);
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
