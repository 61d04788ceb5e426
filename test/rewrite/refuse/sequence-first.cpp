// A layer that takes the rows of a batch as its second dimension.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

int main() {
// CHECK: {{.*}}sequence-first.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR055]
  torch::nn::LSTM model(4, 2);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto x = torch::randn({5, 100, 4});
  for (int step = 0; step < 10; ++step) {
    optimizer.zero_grad();
    auto loss = std::get<0>(model->forward(x)).mean();
    loss.backward();
    optimizer.step();
  }
}
