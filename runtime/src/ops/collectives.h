// The collectives that programs call, checked before they run.
#pragma once

#include "state/state.h"

#include <torch/types.h>

namespace accel::detail {

/// See Accelerator; on one process there is nothing to exchange.
torch::Tensor reduce(State& state, const torch::Tensor& tensor, Reduction reduction);
torch::Tensor mean(State& state, const torch::Tensor& loss);
torch::Tensor share(const State& state, const torch::Tensor& loss);
void wait_for_everyone(State& state);

} // namespace accel::detail
