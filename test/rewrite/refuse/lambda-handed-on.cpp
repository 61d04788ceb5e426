// A backward in a lambda of which nobody knows when it runs.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

void later(std::function<void()> job);

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
// CHECK: {{.*}}lambda-handed-on.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR009]
    later([&] { loss.backward(); });
    optimizer.step();
  }
}
