// A hidden state that steps hand on is divided once, where it is made, along its rows.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

using torch::indexing::Slice;

struct TextImpl : torch::nn::Module {
  std::tuple<torch::Tensor, std::tuple<torch::Tensor, torch::Tensor>>
  forward(torch::Tensor x, std::tuple<torch::Tensor, torch::Tensor> state) {
    auto [out, next] = lstm->forward(x, state);
    return {head->forward(out), next};
  }
  torch::nn::LSTM lstm{
      register_module("lstm", torch::nn::LSTM(torch::nn::LSTMOptions(4, 8).batch_first(true)))};
  torch::nn::Linear head{register_module("head", torch::nn::Linear(8, 4))};
};
TORCH_MODULE(Text);

int main() {
  torch::Device device(torch::kCUDA);
  Text model;
  model->to(device);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto text = torch::randn({20, 301, 4});
  for (int epoch = 0; epoch < 5; ++epoch) {
    auto h = torch::zeros({1, 20, 8}).to(device).detach();
    auto c = torch::zeros({1, 20, 8}, device);
    for (int64_t i = 0; i < 300; i += 30) {
      auto x = text.index({Slice(), Slice(i, i + 30)}).to(device);
      auto y = text.index({Slice(), Slice(i + 1, i + 31)}).to(device);
      torch::Tensor out;
      std::forward_as_tuple(out, std::tie(h, c)) = model->forward(x, std::make_tuple(h, c));
      h.detach_();
      c = c.detach();
      optimizer.zero_grad();
      torch::mse_loss(out, y).backward();
      optimizer.step();
    }
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::Device device(torch::kCUDA);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:-  model->to(device);
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:-    auto h = torch::zeros({1, 20, 8}).to(device).detach();
// CHECK:-    auto c = torch::zeros({1, 20, 8}, device);
// CHECK:+    auto h = accelerator.shard(torch::zeros({1, 20, 8}), 1).detach();
// CHECK:+    auto c = accelerator.shard(torch::zeros({1, 20, 8}, accelerator.device()), 1);
// CHECK:-      auto x = text.index({Slice(), Slice(i, i + 30)}).to(device);
// CHECK:-      auto y = text.index({Slice(), Slice(i + 1, i + 31)}).to(device);
// CHECK:+      auto x = accelerator.shard(text.index({Slice(), Slice(i, i + 30)}));
// CHECK:+      auto y = accelerator.shard(text.index({Slice(), Slice(i + 1, i + 31)}));
// CHECK:-      torch::mse_loss(out, y).backward();
// CHECK:+      accelerator.backward(torch::mse_loss(out, y));
