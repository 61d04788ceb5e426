// Bytes of any length between processes.
#pragma once

#include "state/state.h"

#include <functional>
#include <string>
#include <typeinfo>
#include <vector>

namespace accel::detail {

/// Every process's bytes, in the order of the processes. Where `make` throws on one of them, all
/// throw. A collective.
std::vector<std::string> gather_bytes(State& state, const std::type_info& type,
                                      const std::function<std::string()>& make);

/// The bytes of process `from`, the only one that calls `make`. A collective.
std::string broadcast_bytes(State& state, const std::type_info& type, int from,
                            const std::function<std::string()>& make);

} // namespace accel::detail
