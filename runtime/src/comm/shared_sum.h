// The arithmetic of a reduction through shared memory.
#pragma once

#include <torch/types.h>

#include <cstddef>
#include <vector>

namespace accel::detail {

/// Whether sum_in_order knows the dtype: float, double, half, bfloat16 and complex numbers.
bool can_sum(torch::ScalarType dtype);

/// Adds up the elements [begin, end) of all `inputs`, in their order, and writes the sums to all
/// `outputs`, which may be among the inputs: the same bits whoever computes them. Half and bfloat16
/// are added up as float and rounded once.
void sum_in_order(torch::ScalarType dtype, const std::vector<std::byte*>& inputs,
                  const std::vector<std::byte*>& outputs, size_t begin, size_t end);

} // namespace accel::detail
