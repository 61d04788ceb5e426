// Trains a small network on rows made up on the spot and prints every loss and, at the end, every parameter, in full.
//
//   program OPTIMIZER [EPOCHS]
//
// 103 rows in batches of 16: the last batch has 7, which neither two nor three processes divide evenly.
#include <torch/torch.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

struct NetImpl : torch::nn::Module {
  NetImpl()
      : fc1(register_module("fc1", torch::nn::Linear(8, 16))), fc2(register_module("fc2", torch::nn::Linear(16, 4))) {}

  torch::Tensor forward(const torch::Tensor& x) { return fc2->forward(torch::tanh(fc1->forward(x))); }

  torch::nn::Linear fc1;
  torch::nn::Linear fc2;
};
TORCH_MODULE(Net);

class Rows : public torch::data::datasets::Dataset<Rows> {
public:
  explicit Rows(uint64_t seed) {
    torch::manual_seed(seed);
    inputs = torch::randn({103, 8});
    targets = (inputs.sum(1) > 0).to(torch::kLong) + 2 * (inputs.select(1, 0) > 0).to(torch::kLong);
  }

  torch::data::Example<> get(size_t index) override {
    return {inputs[static_cast<int64_t>(index)], targets[static_cast<int64_t>(index)]};
  }
  torch::optional<size_t> size() const override { return 103; }

private:
  torch::Tensor inputs, targets;
};

template <typename DataLoader>
void train(Net& model, torch::Device device, DataLoader& loader, torch::optim::Optimizer& optimizer) {
  model->train();
  double sum_of_losses = 0, loss_of_rows = 0;
  int64_t batches = 0, correct = 0;
  for (auto& batch : loader) {
    auto data = batch.data.to(device), targets = batch.target.to(device);
    optimizer.zero_grad();
    auto output = model->forward(data);
    auto loss = torch::nn::functional::cross_entropy(output, targets);
    loss.backward();
    optimizer.step();
    sum_of_losses += loss.template item<double>();
    loss_of_rows += loss.template item<double>() * data.size(0);
    correct += output.argmax(1).eq(targets).sum().template item<int64_t>();
    std::printf("batch %ld loss %.17g\n", static_cast<long>(batches), loss.template item<double>());
    ++batches;
  }
  std::printf("epoch: mean of batches %.17g, mean of rows %.17g, %ld correct\n", sum_of_losses / batches,
              loss_of_rows / 103, static_cast<long>(correct));
}

template <typename DataLoader> void test(Net& model, torch::Device device, DataLoader& loader) {
  torch::NoGradGuard no_grad;
  model->eval();
  double loss = 0;
  int64_t correct = 0;
  for (const auto& batch : loader) {
    auto data = batch.data.to(device), targets = batch.target.to(device);
    auto output = model->forward(data);
    loss += torch::nn::functional::cross_entropy(
                output, targets, torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kSum))
                .template item<double>();
    correct += output.argmax(1).eq(targets).sum().template item<int64_t>();
  }
  std::cout.precision(17);
  std::cout << "test: loss " << loss / 103 << ", " << correct << " correct" << std::endl;
}

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "sgd";
  const int epochs = argc > 2 ? std::atoi(argv[2]) : 2;
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);

  auto rows = Rows(3).map(torch::data::transforms::Stack<>());
  auto loader = torch::data::make_data_loader(std::move(rows), 16);
  auto test_loader = torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(
      Rows(4).map(torch::data::transforms::Stack<>()), 10);

  torch::manual_seed(1);
  Net model;
  model->to(device);
  if (name == "sgd") {
    torch::optim::SGD optimizer(model->parameters(),
                                torch::optim::SGDOptions(0.1).momentum(0.9).weight_decay(1e-3));
    for (int epoch = 0; epoch < epochs; ++epoch)
      train(model, device, *loader, optimizer);
  } else if (name == "adam") {
    auto optimizer = std::make_unique<torch::optim::Adam>(model->parameters(), torch::optim::AdamOptions(1e-2));
    for (int epoch = 0; epoch < epochs; ++epoch)
      train(model, device, *loader, *optimizer);
  } else if (name == "adamw") {
    auto optimizer = torch::optim::AdamW(model->parameters(), torch::optim::AdamWOptions(1e-2));
    for (int epoch = 0; epoch < epochs; ++epoch)
      train(model, device, *loader, optimizer);
  } else if (name == "rmsprop") {
    torch::optim::RMSprop optimizer(model->parameters(), torch::optim::RMSpropOptions(1e-3));
    for (int epoch = 0; epoch < epochs; ++epoch)
      train(model, device, *loader, optimizer);
  } else {
    torch::optim::Adagrad optimizer(model->parameters(), torch::optim::AdagradOptions(1e-2));
    for (int epoch = 0; epoch < epochs; ++epoch)
      train(model, device, *loader, optimizer);
  }
  test(model, device, *test_loader);

  for (const auto& parameter : model->named_parameters()) {
    auto values = parameter.value().detach().to(torch::kCPU).flatten().contiguous();
    for (int64_t i = 0; i < values.numel(); ++i)
      std::printf("%s[%ld] %.9g\n", parameter.key().c_str(), static_cast<long>(i), values[i].item<float>());
  }
}
