// A sampler that already divides the data.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  torch::data::samplers::DistributedRandomSampler sampler(100);
// CHECK: {{.*}}sampler-distributed.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR014]
  auto loader = torch::data::make_data_loader(rows(), sampler, torch::data::DataLoaderOptions(8));
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
  }
}
