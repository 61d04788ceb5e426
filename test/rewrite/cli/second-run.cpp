// The tool's own output is left as it is, byte for byte, and nothing is said of it.
// RUN: mkdir -p %t.dir && cp %s %t.dir/program.cpp
// RUN: %accel-rewrite -i %t.dir/program.cpp -- %torch
// RUN: cp %t.dir/program.cpp %t.dir/once.cpp
// RUN: grep "accelerator.backward(loss)" %t.dir/once.cpp
// RUN: %accel-rewrite -i %t.dir/program.cpp -- %torch -I%runtime
// RUN: diff %t.dir/once.cpp %t.dir/program.cpp
// RUN: %accel-rewrite --quiet %t.dir/program.cpp -- %torch -I%runtime 2>&1 | count 0
#include "program.h"

template <typename Loader> void train(Net& model, torch::Device device, Loader& loader, torch::optim::Optimizer& optimizer) {
  double total = 0;
  for (auto& batch : loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data.to(device)), batch.target.to(device));
    loss.backward();
    optimizer.step();
    total += loss.template item<double>();
  }
  std::cout << total << std::endl;
}

template <typename Loader> void test(Net& model, torch::Device device, Loader& loader) {
  model->eval();
  int64_t correct = 0;
  for (auto& batch : loader)
    correct += model->forward(batch.data.to(device)).argmax(1).eq(batch.target.to(device)).sum().template item<int64_t>();
  std::cout << correct << std::endl;
}

int main() {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  Net model;
  model->to(device);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  auto test_loader = torch::data::make_data_loader(rows(), 8);
  train(model, device, *loader, optimizer);
  test(model, device, *test_loader);
  torch::save(model, "model.pt");
}
