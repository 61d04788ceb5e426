// A program that does not train keeps its device and its prints.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | count 0
#include "program.h"

int main() {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  Net model;
  model->to(device);
  model->eval();
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader)
    std::cout << model->forward(batch.data.to(device)) << std::endl;
}
