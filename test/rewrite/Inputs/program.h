// What the programs of these tests share: a model, a data set, and little else.
#pragma once
#include <torch/torch.h>

#include <cstdio>
#include <iostream>

struct NetImpl : torch::nn::Module {
  NetImpl() : fc(register_module("fc", torch::nn::Linear(4, 2))) {}
  torch::Tensor forward(torch::Tensor x) { return torch::log_softmax(fc->forward(x), 1); }
  torch::nn::Linear fc;
};
TORCH_MODULE(Net);

struct Rows : torch::data::datasets::Dataset<Rows> {
  torch::data::Example<> get(size_t index) override {
    return {torch::full({4}, static_cast<float>(index)), torch::tensor(static_cast<int64_t>(index % 2))};
  }
  torch::optional<size_t> size() const override { return 100; }
};

inline auto rows() { return Rows().map(torch::data::transforms::Stack<>()); }
