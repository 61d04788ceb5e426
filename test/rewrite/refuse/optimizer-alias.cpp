// A container of optimizers by value behind a name of its own: its type can't be changed here.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

using Optimizers = std::vector<torch::optim::SGD>;

int main() {
  Net model;
  // CHECK: {{.*}}optimizer-alias.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR031]
  Optimizers optimizers;
  optimizers.push_back(torch::optim::SGD(model->parameters(), 0.1));
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    torch::nll_loss(model->forward(batch.data), batch.target).backward();
    optimizers.front().step();
  }
}
