// A macro that is the whole statement which chooses the device: it goes, as the statement would.
// RUN: %accel-rewrite --quiet %s -- %torch | %changes %s
#include "program.h"

#define CHOOSE_DEVICE torch::Device device(torch::kCUDA)

int main() {
  CHOOSE_DEVICE;
  Net model;
  model->to(device);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    auto loss = torch::nll_loss(model->forward(batch.data.to(device)), batch.target);
    loss.backward();
    optimizer.step();
  }
}

// CHECK: +#include <accel/accel.h>
// CHECK: -  CHOOSE_DEVICE;
// CHECK: +  accel::Accelerator accelerator;
// CHECK: -  model->to(device);
// CHECK: -  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK: -  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK: +  accelerator.prepare(model);
// CHECK: +  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK: +  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK: -    auto loss = torch::nll_loss(model->forward(batch.data.to(device)), batch.target);
// CHECK: -    loss.backward();
// CHECK: +    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
// CHECK: +    accelerator.backward(loss);
