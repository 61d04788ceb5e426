// What is trained is the input of the model: there are no rows to divide.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

int main() {
  Net model;
  auto image = torch::zeros({1, 4}).requires_grad_(true);
  torch::optim::SGD optimizer({image}, 0.1);
  for (int step = 0; step < 10; ++step) {
    optimizer.zero_grad();
// CHECK: {{.*}}nothing-to-divide.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR051]
    auto loss = model->forward(image).mean();
    loss.backward();
    optimizer.step();
  }
}
