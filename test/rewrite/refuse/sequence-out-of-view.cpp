// A layer that is made where nobody looks.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"
struct Text : torch::nn::Module {
  Text();
  torch::Tensor forward(torch::Tensor x) {
    return std::get<0>(decoder->forward(std::get<0>(encoder->forward(x))));
  }
// CHECK: {{.*}}sequence-out-of-view.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR055]
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
