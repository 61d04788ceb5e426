// The process that started all processes of a job on this machine.
#pragma once

#include <string>
#include <vector>

namespace accel::detail {

/// "PID-TIME" for a process that runs: no other process has ever had both, until the machine
/// restarts. Empty where there is none.
std::string identity(long pid);

/// The identity of the nearest ancestor that wasn't started with this process's values of
/// `variables`: not a shell around the program, but the launcher, the same for all processes that
/// it started on this machine.
std::string launcher_identity(const std::vector<std::string>& variables);

} // namespace accel::detail
