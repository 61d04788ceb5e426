// A device that comes from callers out of view is bound to a reference: nothing can stand for it there.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

torch::Tensor moved(const torch::Tensor& rows, torch::Device& device);

void train(Net& model, torch::Device& device) {
  model->to(device);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
// CHECK: {{.*}}device-of-unknown-callers.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR006]
    torch::nll_loss(model->forward(moved(batch.data, device)), batch.target).backward();
    optimizer.step();
  }
}
