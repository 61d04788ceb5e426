#include <vector>
#include <torch/torch.h>
#include "program.h"
#include "once.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    torch::nll_loss(model->forward(batch.data), batch.target).backward();
    optimizer.step();
  }
  train_once(model);
}
