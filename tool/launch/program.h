#pragma once

#include <string>

namespace accel::launch {

/// The file that `name` starts, found as a shell finds it: a path as it is, another name in PATH.
/// Throws Error with ExitCode::NotFound or ExitCode::NotExecutable.
std::string find_program(const std::string& name);

} // namespace accel::launch
