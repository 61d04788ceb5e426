#include "train.h"

void train(Net& model, torch::Device device, Loader& loader, torch::optim::Optimizer& optimizer) {
  for (auto& batch : loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data.to(device)), batch.target.to(device));
    loss.backward();
    optimizer.step();
  }
}
