#include "train.h"

int main() {
  torch::Device device(torch::kCPU);
  if (torch::cuda::is_available()) {
    device = torch::Device(torch::kCUDA);
  }
  Net model;
  model->to(device);
  train(model, device);
  test(model, device);
}
