// A training loader that is used in a way that is not followed, and whose rows can't be divided one by one.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(Rows(), 8);
// CHECK: {{.*}}loader-opaque.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR005]
  auto first = *loader->begin();
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::zeros({});
    for (auto& row : batch)
      loss = loss + torch::nll_loss(model->forward(row.data.unsqueeze(0)), row.target.unsqueeze(0));
    loss.backward();
    optimizer.step();
  }
}
