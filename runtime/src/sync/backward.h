#pragma once

#include "state/state.h"

#include <accel/reduction.h>

#include <torch/types.h>

namespace accel::detail {

/// A loss, the arguments of its backward, and how it is reduced over rows.
struct Loss {
  torch::Tensor value;
  torch::Tensor gradient;
  torch::optional<bool> keep_graph;
  bool create_graph = false;
  Divisor divisor = Divisor::Rows;
  /// This process's count, with Divisor::Count.
  double count = 1;
};

/// Runs backward with the loss weighted for a sum over the processes and the window, and
/// synchronises the gradients of every prepared optimizer that any process's backward reached,
/// unless the window or a no_sync() scope goes on.
void backward(State& state, const Loss& loss);

} // namespace accel::detail
