// An optimizer that is no local variable.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

struct Trainer {
  Net model;
  torch::optim::SGD optimizer{model->parameters(), 0.1};

  void train() {
    auto loader = torch::data::make_data_loader(rows(), 8);
    for (auto& batch : *loader) {
      optimizer.zero_grad();
      torch::nll_loss(model->forward(batch.data), batch.target).backward();
// CHECK: {{.*}}optimizer-member.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR003]
      optimizer.step();
    }
  }
};
