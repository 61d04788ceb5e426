// What a macro's body prints, every process prints.
// RUN: %accel-rewrite %s -- %torch 2>&1 >/dev/null | %FileCheck --match-full-lines %s
#include "program.h"

#define LOG(text) std::cout << text << std::endl

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    torch::nll_loss(model->forward(batch.data), batch.target).backward();
    optimizer.step();
// CHECK: {{.*}}macro-output.cpp:[[@LINE+1]]:{{[0-9]+}}: note: every process does this: it is written in a macro's body; {{.*}} [AR120]
    LOG("a step");
  }
// CHECK: accel-rewrite: 1 training loop, 1 converted
}
