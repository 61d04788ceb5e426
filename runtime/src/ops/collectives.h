// The collectives that programs call, checked before they run.
#pragma once

#include "state/state.h"

#include <torch/types.h>

namespace accel::detail {

/// See Accelerator; on one process they return what they were given.
torch::Tensor reduce(State& state, const torch::Tensor& tensor, Reduction reduction);
torch::Tensor mean(State& state, const torch::Tensor& loss);
torch::Tensor share(const State& state, const torch::Tensor& loss);
torch::Tensor gather(State& state, const torch::Tensor& tensor);
void wait_for_everyone(State& state);

} // namespace accel::detail
