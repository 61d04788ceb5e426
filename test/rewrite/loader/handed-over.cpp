// A loader that a class is handed stays whole: each process takes its rows of a batch.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

using Loader = decltype(torch::data::make_data_loader(rows(), 8));

class Trainer {
public:
  explicit Trainer(Loader batches) : batches(std::move(batches)) {}

  void train(Net& model) {
    torch::optim::SGD optimizer(model->parameters(), 0.1);
    for (auto& batch : *batches) {
      optimizer.zero_grad();
      auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
      loss.backward();
      optimizer.step();
    }
  }

private:
  Loader batches;
};

int main() {
  Net model;
  Trainer(torch::data::make_data_loader(rows(), 8)).train(model);
}



// CHECK:+#include <accel/accel.h>
// CHECK:-    torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:+    accel::Accelerator accelerator;
// CHECK:+    accelerator.prepare(model);
// CHECK:+    auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:-      auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
// CHECK:-      loss.backward();
// CHECK:+      auto loss = torch::nll_loss(model->forward(accelerator.shard(batch.data)), accelerator.shard(batch.target));
// CHECK:+      accelerator.backward(loss);
