// A training loop in a template that nothing instantiates.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

template <typename Model, typename Loader, typename Optimizer>
void train(Model& model, Loader& loader, Optimizer& optimizer) {
  for (auto& batch : loader) {
    auto loss = model->forward(batch.data).mean();
// CHECK: {{.*}}template-uninstantiated.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR012]
    loss.backward();
    optimizer.step();
  }
}
