// A library that computes gradients and steps nowhere.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | count 0
#include "program.h"

struct Loss {
  torch::Tensor operator()(const torch::Tensor& output, const torch::Tensor& target) const {
    auto loss = torch::mse_loss(output, target);
    if (immediate)
      loss.backward();
    return loss;
  }
  bool immediate = true;
};
