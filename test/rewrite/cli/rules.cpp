// Rules for what a program prints, saves and evaluates can be left out; those that make a loop a distributed one can't.
// RUN: %accel-rewrite --rules save %s -- %torch | %FileCheck %s
// RUN: %accel-rewrite --rules none %s -- %torch | %FileCheck --check-prefix=NONE %s
// RUN: %accel-rewrite --rules backward,reads,output,evaluation,save %s -- %torch > %t.all
// RUN: %accel-rewrite %s -- %torch > %t.default && diff %t.default %t.all
// RUN: %exits 2 %accel-rewrite --rules output,prints %s -- %torch 2>&1 | %FileCheck --check-prefix=UNKNOWN %s
// RUN: %accel-rewrite --list-rules | %FileCheck --check-prefix=LIST %s
// UNKNOWN: there is no rule prints; --list-rules names them
// LIST: backward    always    accelerator.backward(loss)
// LIST: output      optional  the main process prints
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
    std::cout << loss.item<float>() << std::endl;
  }
  auto test_loader = torch::data::make_data_loader(rows(), 8);
  int64_t correct = 0;
  for (auto& batch : *test_loader)
    correct += model->forward(batch.data).argmax(1).eq(batch.target).sum().item<int64_t>();
  std::cout << correct << std::endl;
  torch::save(model, "model.pt");
}

// CHECK-NOT: accelerator.cout
// CHECK-NOT: accelerator.mean
// CHECK-NOT: make_eval_data_loader
// CHECK: +    accelerator.backward(loss);
// CHECK-NOT: accelerator.cout
// CHECK-NOT: accelerator.mean
// CHECK-NOT: make_eval_data_loader
// CHECK: +  accelerator.save(model, "model.pt");

// NONE: +    accelerator.backward(loss);
// NONE-NOT: accelerator.save
