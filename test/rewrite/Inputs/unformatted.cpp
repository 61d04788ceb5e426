#include "program.h"
#include <iostream>

int   main() {
  Net model;
  torch::optim::Adam optimizer(model->parameters(), torch::optim::AdamOptions(0.1).betas({0.9, 0.99}));
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    auto   loss = torch::nll_loss( model->forward(batch.data),batch.target );
    loss.backward();
    optimizer.step( );
  }
}
