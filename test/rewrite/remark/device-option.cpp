// An index from the command line that chose the GPU.
// RUN: %accel-rewrite %s -- %torch 2>&1 >%t.diff | %FileCheck --match-full-lines --implicit-check-not='{{.*}}[AR{{.*}}' %s
// RUN: %FileCheck --check-prefix=CONVERTED %s < %t.diff
// CONVERTED: accelerator.backward
#include "program.h"

int main(int, char** argv) {
  int gpu = std::atoi(argv[1]);
// CHECK: {{.*}}device-option.cpp:[[@LINE+1]]:{{[0-9]+}}: note: {{.*}} [AR141]
  torch::Device device(torch::kCUDA, gpu);
  Net model;
  model->to(device);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
  }
}
