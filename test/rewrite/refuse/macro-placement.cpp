// Something placed on a GPU in a macro's body: on several processes it would stay on the first.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

#define ON_GPU(tensor) tensor.to(torch::kCUDA)

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
// CHECK: {{.*}}macro-placement.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: this placement on a device is written in a macro's body, which can't be edited safely; write it out [AR008]
    auto loss = torch::nll_loss(model->forward(ON_GPU(batch.data)), batch.target);
    loss.backward();
    optimizer.step();
  }
}
