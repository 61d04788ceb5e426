// Two loops train one model; one of them can't be converted, so neither is.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK: {{.*}}tied-to-refused.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR057]
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    torch::nll_loss(model->forward(batch.data), batch.target).backward();
    optimizer.step();
  }
  auto x = torch::rand({10, 4}, torch::kFloat);
  for (int i = 0; i < 10; ++i) {
    optimizer.zero_grad();
// CHECK: {{.*}}tied-to-refused.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR052]
    model->forward(x[i]).mean().backward();
    optimizer.step();
  }
}
