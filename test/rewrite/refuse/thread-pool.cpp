// Training that is handed to a pool.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

struct Pool {
  void enqueue(std::function<void()> job);
};

int main() {
  Pool pool;
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
// CHECK: {{.*}}thread-pool.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR060]
    pool.enqueue([&] { loss.backward(); });
    optimizer.step();
  }
}
