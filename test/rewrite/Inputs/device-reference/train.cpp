#include "train.h"

static torch::Tensor place(const torch::Tensor& rows, torch::Device& device) {
  return rows.to(device);
}

void train(Net& model, torch::Device& device) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto out = model->forward(place(batch.data, device));
    auto loss = torch::nll_loss(out, place(batch.target, device));
    loss.backward();
    optimizer.step();
  }
}
