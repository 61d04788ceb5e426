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

/// The bytes that process 0 makes, on every process; where it can't make them, all of them throw.
std::string bytes_of_main(State& state, Record::Action action,
                          const std::function<std::string()>& make);

} // namespace accel::detail
