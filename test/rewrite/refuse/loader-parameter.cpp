// A loader that comes from nowhere in sight.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

// CHECK: {{.*}}loader-parameter.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR004]
template <typename Loader> void train(Loader& loader) {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  for (auto& batch : loader) {
    torch::nll_loss(model->forward(batch.data), batch.target).backward();
    optimizer.step();
  }
}
using Loader = decltype(torch::data::make_data_loader(rows(), 8))::element_type;
template void train(Loader&);
