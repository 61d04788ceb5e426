// A device that nothing in view chooses.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

struct Options {
  explicit Options(const char* file);
  torch::Device device;
};

void run(Options& options) {
  Net model;
// CHECK: {{.*}}device-unset.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR041]
  model->to(options.device);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
  }
}
