#pragma once

#include "state/environment.h"

#include <torch/types.h>

namespace accel::detail {

/// The device that this process computes on, made the current one of the thread: that of
/// ACCELERATE_TORCH_DEVICE, else the GPU with the number of its local rank, else the CPU. Throws
/// std::runtime_error where that device isn't there or is meant for another process too.
torch::Device choose_device(const Environment& environment, bool use_cpu);

} // namespace accel::detail
