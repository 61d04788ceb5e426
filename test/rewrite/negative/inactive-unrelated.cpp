// Branches that are not compiled don't matter where they hold nothing of the training: includes, messages, other functions, and what
// `#if 0` comments out.
// RUN: %accel-rewrite --quiet %s -- %torch | %changes %s
#ifdef WITH_PLOTS
#include "plots.h"
#endif
#include "program.h"

#ifdef _WIN32
void beep(int step) {}
#endif

#if 0
void old(torch::Tensor loss, torch::optim::SGD& optimizer) {
  loss.backward();
  optimizer.step();
}
#endif

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
#ifdef DEBUG
    std::cerr << "stepped\n";
#endif
    optimizer.step();
  }
}

// CHECK: +#include <accel/accel.h>
// CHECK-NEXT: {{.*}}#include "program.h"
// CHECK: -  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK: -  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK: +  accel::Accelerator accelerator;
// CHECK: +  accelerator.prepare(model);
// CHECK: +  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK: +  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK: -    loss.backward();
// CHECK: +    accelerator.backward(loss);
