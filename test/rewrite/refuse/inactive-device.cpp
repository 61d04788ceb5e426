// A device that another configuration chooses otherwise.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

int main() {
#ifdef USE_CUDA
// CHECK: {{.*}}inactive-device.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR020]
  torch::Device device(torch::kCUDA);
#else
  torch::Device device(torch::kCPU);
#endif
  Net model;
  model->to(device);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data.to(device)), batch.target.to(device));
    loss.backward();
    optimizer.step();
  }
}
