#pragma once

#include <torch/types.h>

namespace accel::detail {

/// Whether a dense tensor on the CPU is known to hold zeros only; false where that takes more than
/// comparing its bytes.
bool is_all_zero(const torch::Tensor& tensor);

} // namespace accel::detail
