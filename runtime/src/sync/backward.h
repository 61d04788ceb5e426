#pragma once

#include "state/state.h"

namespace accel::detail {

/// Runs backward with the loss weighted for a sum over the processes and synchronises the gradients
/// of every prepared optimizer that any process's backward reached.
void backward(State& state, const torch::Tensor& loss, const torch::Tensor& gradient,
              torch::optional<bool> keep_graph, bool create_graph, Reduction reduction);

} // namespace accel::detail
