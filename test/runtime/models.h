// The data, models and comparisons of the runtime's tests.
#pragma once

#include "processes.h"

#include <accel/accel.h>

#include <torch/torch.h>

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace accel_test {

/// `count` rows of six features and a class, the same in every process. Row i is made of i alone.
class Rows : public torch::data::datasets::Dataset<Rows> {
public:
  explicit Rows(size_t count) : count_(count) {}
  torch::data::Example<> get(size_t index) override {
    const auto i = static_cast<double>(index);
    const auto base = torch::arange(6, torch::kFloat) + 1;
    return {torch::sin(base * (i + 1)), torch::tensor(static_cast<int64_t>(index % 3))};
  }
  torch::optional<size_t> size() const override { return count_; }

private:
  size_t count_;
};

inline auto stacked(size_t rows) {
  return Rows(rows).map(torch::data::transforms::Stack<>());
}

struct NetImpl : torch::nn::Module {
  NetImpl() {
    first = register_module("first", torch::nn::Linear(6, 16));
    second = register_module("second", torch::nn::Linear(16, 16));
    last = register_module("last", torch::nn::Linear(16, 3));
  }
  torch::Tensor forward(const torch::Tensor& input) {
    return last(torch::tanh(second(torch::tanh(first(input)))));
  }
  torch::nn::Linear first{nullptr}, second{nullptr}, last{nullptr};
};
TORCH_MODULE(Net);

inline torch::Tensor loss_of(Net& net, const torch::data::Example<>& batch) {
  return torch::nn::functional::cross_entropy(
      net->forward(batch.data.to(net->last->weight.dtype())), batch.target);
}

inline Net make_net(uint64_t seed = 1) {
  torch::manual_seed(seed);
  return Net();
}

inline std::vector<torch::Tensor> copies(const std::vector<torch::Tensor>& tensors) {
  std::vector<torch::Tensor> result;
  for (const auto& tensor : tensors) {
    result.push_back(tensor.defined() ? tensor.detach().clone() : torch::Tensor());
  }
  return result;
}

inline std::vector<torch::Tensor> gradients(const std::vector<torch::Tensor>& parameters) {
  std::vector<torch::Tensor> result;
  for (const auto& parameter : parameters) {
    result.push_back(parameter.grad());
  }
  return copies(result);
}

inline double distance(const std::vector<torch::Tensor>& a, const std::vector<torch::Tensor>& b) {
  double most = a.size() == b.size() ? 0 : 1e9;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (a[i].defined() != b[i].defined()) {
      return 1e9;
    }
    if (a[i].defined()) {
      most = std::max(most, (a[i] - b[i]).abs().max().item<double>());
    }
  }
  return most;
}

inline accel::AcceleratorOptions split() {
  return accel::AcceleratorOptions().split_batches(true);
}

/// The rows of `all` that are this process's: a contiguous share, as equal as possible.
inline torch::Tensor mine(const torch::Tensor& all) {
  return all.tensor_split(processes())[static_cast<size_t>(rank())];
}

inline void expect_error(const std::function<void()>& call, const std::vector<std::string>& parts) {
  try {
    call();
    FAIL() << "no error";
  } catch (const c10::Error& error) {
    const std::string text = error.what();
    for (const auto& part : parts) {
      EXPECT_NE(text.find(part), std::string::npos) << part << "\nin\n" << text;
    }
  }
}

using Parameters = std::vector<torch::Tensor>;

inline torch::optim::SGD plain_sgd(const Parameters& parameters) {
  return torch::optim::SGD(parameters, 0.1);
}

/// Twelve rows that divide evenly by 1, 2 and 3, and another set of them.
inline torch::Tensor rows(int set) {
  return torch::cos(torch::arange(72, torch::kFloat) * (set + 1)).view({12, 6});
}

inline torch::Tensor loss_on(Net& net, const torch::Tensor& input) {
  return net->forward(input).pow(2).mean();
}

/// A net trained with accel beside the same one trained without.
struct Pair {
  accel::Accelerator accelerator{split()};
  Net bare = make_net();
  Net net = make_net();
  Pair() { accelerator.prepare(net); }
  double gradient_distance() const {
    return distance(gradients(net->parameters()), gradients(bare->parameters()));
  }
};

} // namespace accel_test
