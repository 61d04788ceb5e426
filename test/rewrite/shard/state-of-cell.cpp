// The hidden state of a recurrent cell has its rows first.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

struct CellImpl : torch::nn::Module {
  std::pair<torch::Tensor, torch::Tensor> forward(torch::Tensor x, torch::Tensor state) {
    auto next = cell->forward(x, state);
    return {head->forward(next), next};
  }
  torch::nn::GRUCell cell{register_module("cell", torch::nn::GRUCell(4, 8))};
  torch::nn::Linear head{register_module("head", torch::nn::Linear(8, 4))};
};
TORCH_MODULE(Cell);

int main() {
  const int64_t batch_size = 20;
  Cell model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto text = torch::randn({batch_size, 300, 4});
  torch::Tensor state;
  for (int epoch = 0; epoch < 5; ++epoch) {
    state = torch::zeros({batch_size, 8});
    for (int64_t i = 0; i < 299; ++i) {
      auto [out, next] = model->forward(text.select(1, i), state);
      optimizer.zero_grad();
      torch::mse_loss(out, text.select(1, i + 1)).backward();
      optimizer.step();
      state = next.detach();
    }
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:-    state = torch::zeros({batch_size, 8});
// CHECK:+    state = accelerator.shard(torch::zeros({batch_size, 8}));
// CHECK:-      auto [out, next] = model->forward(text.select(1, i), state);
// CHECK:+      auto [out, next] = model->forward(accelerator.shard(text).select(1, i), state);
// CHECK:-      torch::mse_loss(out, text.select(1, i + 1)).backward();
// CHECK:+      accelerator.backward(torch::mse_loss(out, accelerator.shard(text).select(1, i + 1)));
