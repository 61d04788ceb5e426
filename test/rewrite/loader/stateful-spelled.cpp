// A stream's loader of torch's own type can't send rows between processes: each reads all of them.
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
using Stacked = torch::data::datasets::MapDataset<Stream, torch::data::transforms::Stack<>>;

void train(Net& model, torch::data::StatefulDataLoader<Stacked>& loader) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  for (auto& batch : loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
  }
}

int main() {
  Net model;
  auto loader = torch::data::make_data_loader(Stream().map(torch::data::transforms::Stack<>()), 8);
  train(model, *loader);
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:-    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
// CHECK:-    loss.backward();
// CHECK:+    auto loss = torch::nll_loss(model->forward(accelerator.shard(batch.data)), accelerator.shard(batch.target));
// CHECK:+    accelerator.backward(loss);
