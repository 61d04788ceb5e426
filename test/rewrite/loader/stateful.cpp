// A data set that keeps its own state: the accelerator's loader takes it too.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

using Batch = std::vector<torch::data::Example<>>;
struct Stream : torch::data::datasets::StatefulDataset<Stream, Batch, size_t> {
  torch::optional<Batch> get_batch(size_t) override { return torch::nullopt; }
  void reset() override {}
  void save(torch::serialize::OutputArchive&) const override {}
  void load(torch::serialize::InputArchive&) override {}
  torch::optional<size_t> size() const override { return torch::nullopt; }
};

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(Stream().map(torch::data::transforms::Stack<>()), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:-  auto loader = torch::data::make_data_loader(Stream().map(torch::data::transforms::Stack<>()), 8);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:+  auto loader = accelerator.make_data_loader(Stream().map(torch::data::transforms::Stack<>()), 8);
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss);
