// A function that saves for what calls the training: whether all processes come to it isn't known.
// RUN: %accel-rewrite %s -- %torch 2>&1 >%t.diff | %FileCheck --match-full-lines --implicit-check-not='{{.*}}[AR{{.*}}' %s
// RUN: %FileCheck --check-prefix=CONVERTED %s < %t.diff
// CONVERTED: accelerator.backward
#include "program.h"

void keep(Net& model, const std::string& path) {
  // CHECK: {{.*}}save-in-helper.cpp:[[@LINE+1]]:3: note: {{.*}} [AR107]
  torch::save(model, path);
}

void train(Net& model) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
  }
}

int main() {
  Net model;
  train(model);
  keep(model, "model.pt");
}
