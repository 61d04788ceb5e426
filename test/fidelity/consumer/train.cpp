#include <torch/torch.h>

#include <iostream>

struct Rows : torch::data::datasets::Dataset<Rows> {
  torch::data::Example<> get(size_t index) override { return {torch::full({2}, 0.1 * index), torch::full({1}, 0.3)}; }
  torch::optional<size_t> size() const override { return 20; }
};

int main() {
  torch::nn::Linear model(2, 1);
  torch::optim::SGD optimizer(model->parameters(), 0.01);
  auto loader = torch::data::make_data_loader(Rows().map(torch::data::transforms::Stack<>()), 4);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::mse_loss(model->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
  }
  std::cout << "done" << std::endl;
}
