// A function that is given different devices keeps what it does.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

template <typename Loader>
void train(Net& model, torch::Device device, Loader& loader, torch::optim::Optimizer& optimizer) {
  for (auto& batch : loader) {
    optimizer.zero_grad();
    // CHECK: {{.*}}device-other-caller.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR006]
    auto loss = torch::nll_loss(model->forward(batch.data.to(device)), batch.target);
    loss.backward();
    optimizer.step();
  }
}

int main() {
  torch::Device device(torch::kCUDA);
  Net model;
  model->to(device);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  train(model, device, *loader, optimizer);
  train(model, torch::Device("cpu"), *loader, optimizer);
}
