// Output of the main process.
#pragma once

#include "state/state.h"

#include <functional>
#include <ostream>
#include <string>

namespace accel::detail {

/// A stream that drops what is written to it.
std::ostream& null_stream();

/// Calls `write` with the name of a file beside `path` on the main process, puts that file on disk
/// and renames it to `path`; every process returns when it is there, or throws where that failed.
void save_atomically(State& state, const std::string& path,
                     const std::function<void(const std::string&)>& write);

} // namespace accel::detail
