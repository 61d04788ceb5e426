// Comparing descriptions across processes.
#pragma once

#include "state/state.h"

#include <string>
#include <vector>

namespace accel::detail {

/// "name Float [2, 3]" of a tensor.
std::string describe(const std::string& name, const torch::Tensor& tensor);

/// Compares the lines with those of the other processes; throws on all of them an error that names
/// the first line that differs and the processes. A collective on the state's group.
void verify_same(State& state, const std::string& what, const std::vector<std::string>& lines);

} // namespace accel::detail
