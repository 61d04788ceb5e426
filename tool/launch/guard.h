#pragma once

#include "file_descriptor.h"

#include <sys/types.h>
#include <vector>

namespace accel::launch {

/// A small process that outlives the launcher only to kill the process groups of its ranks: the
/// kernel's parent-death signal reaches a rank, not what the rank started (a shell's program).
class Guard {
public:
  explicit Guard(const std::vector<pid_t>& groups);
  ~Guard();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

private:
  FileDescriptor alive_; ///< closed by the kernel when the launcher dies
  pid_t id_ = -1;
};

} // namespace accel::launch
