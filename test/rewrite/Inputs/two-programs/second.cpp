#include "../program.h"

template <typename Loader> void train(Net& model, Loader& loader, torch::optim::Optimizer& optimizer) {
  for (auto& batch : loader) {
    torch::nll_loss(model->forward(batch.data), batch.target).backward();
    optimizer.step();
  }
}

int main() {
  torch::manual_seed(1);
  Net model;
  torch::optim::Adam optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  train(model, *loader, optimizer);
}
