// A step on each of several threads.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"
#include <thread>

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
// CHECK: {{.*}}threads.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR060]
      threads.emplace_back([&] { loss.backward(); });
    for (auto& thread : threads)
      thread.join();
    optimizer.step();
  }
}
