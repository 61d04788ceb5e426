// Recurrent layers that take the rows first, each by its own options.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"
struct Text : torch::nn::Module {
  Text() : encoder(torch::nn::LSTMOptions(4, 8).num_layers(2).batch_first(true)) {
    auto options = torch::nn::GRUOptions(8, 8);
    options.batch_first(true);
    decoder = torch::nn::GRU(options);
    register_module("encoder", encoder);
    register_module("decoder", decoder);
  }
  torch::Tensor forward(torch::Tensor x) {
    return std::get<0>(decoder->forward(std::get<0>(encoder->forward(x))));
  }
  torch::nn::LSTM encoder;
  torch::nn::GRU decoder{nullptr};
};
int main() {
  Text model;
  torch::optim::SGD optimizer(model.parameters(), 0.1);
  auto x = torch::randn({5, 100, 4});
  for (int step = 0; step < 10; ++step) {
    optimizer.zero_grad();
    auto loss = model.forward(x).mean();
    loss.backward();
    optimizer.step();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::optim::SGD optimizer(model.parameters(), 0.1);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model.parameters(), 0.1));
// CHECK:-    auto loss = model.forward(x).mean();
// CHECK:-    loss.backward();
// CHECK:+    auto loss = model.forward(accelerator.shard(x)).mean();
// CHECK:+    accelerator.backward(loss);
