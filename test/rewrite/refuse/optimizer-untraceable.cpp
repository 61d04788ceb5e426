// A training function that nobody here calls: what it steps may be anything.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

template <typename Loader>
void train(Net& model, Loader& loader, torch::optim::Optimizer& optimizer) {
  for (auto& batch : loader) {
    torch::nll_loss(model->forward(batch.data), batch.target).backward();
// CHECK: {{.*}}optimizer-untraceable.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR003]
    optimizer.step();
  }
}
using Loader = decltype(torch::data::make_data_loader(rows(), 8))::element_type;
template void train(Net&, Loader&, torch::optim::Optimizer&);
