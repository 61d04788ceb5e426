// A loop whose head comes from a macro: nothing in the macro has to change.
// RUN: %accel-rewrite --quiet %s -- %torch | %changes %s
#include "program.h"

#define EACH(batch, loader) for (auto& batch : *loader)

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  EACH(batch, loader) {
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
  }
}

// CHECK: +#include <accel/accel.h>
// CHECK: -  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK: -  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK: +  accel::Accelerator accelerator;
// CHECK: +  accelerator.prepare(model);
// CHECK: +  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK: +  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK: -    loss.backward();
// CHECK: +    accelerator.backward(loss);
