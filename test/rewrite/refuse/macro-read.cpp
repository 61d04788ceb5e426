// A loss that is read in a macro's body, and decides: each process would decide by its own.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

#define CONVERGED loss.item<float>() < 0.1f

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
// CHECK: {{.*}}macro-read.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: this reading of the loss is written in a macro's body, {{.*}} [AR008]
    if (CONVERGED)
      break;
  }
}
