#include "program.h"
#ifndef REDUCTION
#define REDUCTION torch::kMean
#endif

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    auto output = model->forward(batch.data);
    auto loss = torch::nn::functional::nll_loss(output, batch.target, torch::nn::functional::NLLLossFuncOptions().reduction(REDUCTION));
    loss.backward();
#ifndef NO_STEP
    optimizer.step();
#endif
  }
}
