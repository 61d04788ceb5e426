// The models, the data and the optimizer that every column trains. The Python programs have the
// same (columns.py): the same layers in the same order, so that one seed makes the same parameters
// in both languages.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bench {

struct Net : torch::nn::Module {
  virtual torch::Tensor forward(torch::Tensor images) = 0;
};

/// The network of libtorch's MNIST example: 21,840 parameters.
struct Cnn : Net {
  Cnn() {
    conv1 = register_module("conv1", torch::nn::Conv2d(1, 10, 5));
    conv2 = register_module("conv2", torch::nn::Conv2d(10, 20, 5));
    fc1 = register_module("fc1", torch::nn::Linear(320, 50));
    fc2 = register_module("fc2", torch::nn::Linear(50, 10));
  }
  torch::Tensor forward(torch::Tensor x) override {
    x = torch::relu(torch::max_pool2d(conv1(x), 2));
    x = torch::relu(torch::max_pool2d(conv2(x), 2));
    x = torch::relu(fc1(x.flatten(1)));
    return torch::log_softmax(fc2(x), 1);
  }
  torch::nn::Conv2d conv1{nullptr}, conv2{nullptr};
  torch::nn::Linear fc1{nullptr}, fc2{nullptr};
};

/// 20.1 million parameters in seven layers, most of them 18 MB of gradients each.
struct Mlp : Net {
  Mlp() {
    const std::vector<int64_t> widths{784, 2144, 2144, 2144, 2144, 2144, 10};
    for (size_t i = 0; i + 1 < widths.size(); ++i) {
      layers.push_back(
          register_module("fc" + std::to_string(i), torch::nn::Linear(widths[i], widths[i + 1])));
    }
  }
  torch::Tensor forward(torch::Tensor x) override {
    x = x.flatten(1);
    for (size_t i = 0; i + 1 < layers.size(); ++i) {
      x = torch::relu(layers[i](x));
    }
    return torch::log_softmax(layers.back()(x), 1);
  }
  std::vector<torch::nn::Linear> layers;
};

inline std::shared_ptr<Net> make_net(const std::string& model) {
  torch::manual_seed(1);
  if (model == "cnn") {
    return std::make_shared<Cnn>();
  }
  if (model == "mlp") {
    return std::make_shared<Mlp>();
  }
  throw std::runtime_error("no such model: " + model);
}

inline torch::optim::SGD make_optimizer(Net& net) {
  return torch::optim::SGD(net.parameters(), torch::optim::SGDOptions(0.01).momentum(0.5));
}

/// Random images and labels in memory: 4,096 rows, the same in every column.
class Rows : public torch::data::datasets::Dataset<Rows> {
public:
  static constexpr int64_t count = 4096;

  Rows() {
    torch::manual_seed(2);
    images_ = torch::randn({count, 1, 28, 28});
    targets_ = torch::randint(10, {count}, torch::kLong);
  }
  torch::data::Example<> get(size_t index) override {
    const auto row = static_cast<int64_t>(index);
    return {images_[row], targets_[row]};
  }
  torch::optional<size_t> size() const override { return static_cast<size_t>(count); }

  /// Batch `step` of process `rank` of `processes`, without copying anything.
  torch::data::Example<> batch(int64_t step, int64_t rows, int rank, int processes) const {
    const int64_t first = (step * processes + rank) * rows % (count - rows + 1);
    return {images_.narrow(0, first, rows), targets_.narrow(0, first, rows)};
  }

private:
  torch::Tensor images_;
  torch::Tensor targets_;
};

} // namespace bench
