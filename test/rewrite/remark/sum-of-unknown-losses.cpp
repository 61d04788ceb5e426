// The sum of losses of which the tool can not tell what they are.
// RUN: %accel-rewrite %s -- %torch 2>&1 >%t.diff | %FileCheck --match-full-lines --implicit-check-not='{{.*}}[AR{{.*}}' %s
// RUN: %FileCheck --check-prefix=CONVERTED %s < %t.diff
// CONVERTED: accelerator.backward
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  double total = 0;
  int count = 0;
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    // CHECK: {{.*}}sum-of-unknown-losses.cpp:[[@LINE+1]]:{{[0-9]+}}: note: {{.*}} [AR102]
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target).sqrt();
    loss.backward();
    optimizer.step();
    // CHECK: {{.*}}sum-of-unknown-losses.cpp:[[@LINE+1]]:5: note: {{.*}} [AR104]
    total += loss.item<double>();
    ++count;
  }
  std::cout << total / count << std::endl;
}
