// Trains a small convolutional network on MNIST, or on any data set in its file format (Fashion-MNIST, KMNIST).
//
//   mnist DATA_ROOT [EPOCHS]
#include <torch/torch.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

// The batch size for training.
const int64_t kTrainBatchSize = 64;

// The batch size for testing.
const int64_t kTestBatchSize = 1000;

// After how many batches to log the loss.
const int64_t kLogInterval = 100;

struct NetImpl : torch::nn::Module {
  NetImpl()
      : conv1(torch::nn::Conv2dOptions(1, 16, /*kernel_size=*/5)),
        conv2(torch::nn::Conv2dOptions(16, 32, /*kernel_size=*/5)),
        fc1(512, 128),
        fc2(128, 10) {
    register_module("conv1", conv1);
    register_module("conv2", conv2);
    register_module("dropout", dropout);
    register_module("fc1", fc1);
    register_module("fc2", fc2);
  }

  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(torch::max_pool2d(conv1->forward(x), 2));
    x = torch::relu(torch::max_pool2d(conv2->forward(x), 2));
    x = x.flatten(1);
    x = dropout->forward(torch::relu(fc1->forward(x)));
    return torch::log_softmax(fc2->forward(x), /*dim=*/1);
  }

  torch::nn::Conv2d conv1;
  torch::nn::Conv2d conv2;
  torch::nn::Dropout dropout;
  torch::nn::Linear fc1;
  torch::nn::Linear fc2;
};
TORCH_MODULE(Net);

template <typename DataLoader>
void train(size_t epoch, Net& model, torch::Device device, DataLoader& data_loader,
           torch::optim::Optimizer& optimizer, size_t dataset_size) {
  model->train();
  size_t batch_index = 0;
  double running_loss = 0;
  for (auto& batch : data_loader) {
    auto data = batch.data.to(device);
    auto targets = batch.target.to(device);

    optimizer.zero_grad();
    auto output = model->forward(data);
    auto loss = torch::nll_loss(output, targets);
    TORCH_CHECK(!std::isnan(loss.template item<float>()), "the loss is not a number");
    loss.backward();
    optimizer.step();

    running_loss += loss.template item<double>();
    if (++batch_index % kLogInterval == 0) {
      std::printf("Epoch %zu, batch %zu: loss %.6f\n", epoch, batch_index, loss.template item<float>());
    }
  }
  // The mean over the batches, not over the rows: the last batch is a small one.
  std::printf("Epoch %zu (%zu samples): average loss %.6f\n", epoch, dataset_size, running_loss / batch_index);
}

template <typename DataLoader>
void test(Net& model, torch::Device device, DataLoader& data_loader, size_t dataset_size) {
  torch::NoGradGuard no_grad;
  model->eval();
  double test_loss = 0;
  int64_t correct = 0;
  for (const auto& batch : data_loader) {
    auto data = batch.data.to(device), targets = batch.target.to(device);
    auto output = model->forward(data);
    test_loss += torch::nll_loss(output, targets, /*weight=*/{}, torch::Reduction::Sum).template item<float>();
    auto prediction = output.argmax(1);
    correct += prediction.eq(targets).sum().template item<int64_t>();
  }

  test_loss /= dataset_size;
  std::cout << "Test set: average loss " << test_loss << ", accuracy "
            << static_cast<double>(correct) / dataset_size << std::endl;
}

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: mnist DATA_ROOT [EPOCHS]" << std::endl;
    return 1;
  }
  const std::string data_root = argv[1];
  const size_t number_of_epochs = argc > 2 ? std::atoi(argv[2]) : 3;

  torch::manual_seed(1);

  // Train on the GPU if there is one.
  torch::DeviceType device_type;
  if (torch::cuda::is_available()) {
    std::cout << "CUDA available! Training on GPU." << std::endl;
    device_type = torch::kCUDA;
  } else {
    std::cout << "Training on CPU." << std::endl;
    device_type = torch::kCPU;
  }
  torch::Device device(device_type);

  Net model;
  model->to(device);

  auto train_dataset = torch::data::datasets::MNIST(data_root)
                           .map(torch::data::transforms::Normalize<>(0.1307, 0.3081))
                           .map(torch::data::transforms::Stack<>());
  const size_t train_dataset_size = train_dataset.size().value();
  auto train_loader = torch::data::make_data_loader<torch::data::samplers::RandomSampler>(
      std::move(train_dataset), kTrainBatchSize);

  auto test_dataset = torch::data::datasets::MNIST(data_root, torch::data::datasets::MNIST::Mode::kTest)
                          .map(torch::data::transforms::Normalize<>(0.1307, 0.3081))
                          .map(torch::data::transforms::Stack<>());
  const size_t test_dataset_size = test_dataset.size().value();
  auto test_loader =
      torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(std::move(test_dataset), kTestBatchSize);

  torch::optim::SGD optimizer(model->parameters(), torch::optim::SGDOptions(0.01).momentum(0.9));

  for (size_t epoch = 1; epoch <= number_of_epochs; ++epoch) {
    train(epoch, model, device, *train_loader, optimizer, train_dataset_size);
    test(model, device, *test_loader, test_dataset_size);
  }

  torch::save(model, "mnist.pt");
}
