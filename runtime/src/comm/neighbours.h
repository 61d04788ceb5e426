// Which processes can share memory, found out by trying: processes in two containers of one machine
// may not be able to, whatever the name of their host.
#pragma once

#include "comm/group.h"
#include "comm/shared_memory.h"

#include <accel/options.h>

#include <memory>
#include <string>
#include <vector>

namespace accel::detail {

/// The processes that share memory with this one, and the memory.
struct Neighbours {
  /// Null where memory isn't shared; then it is on no process.
  std::shared_ptr<SharedMemory> memory;
  /// Why not, the same on every process; empty where nothing is wrong with that: each process is on
  /// a machine of its own, or it was asked for.
  std::string obstacle;
  /// The processes that share the memory, in order, this one among them.
  std::vector<int> local;
  /// The first process of each such set.
  std::vector<int> leaders;
};

/// How large the memory must be: a head, and a region for each process that shares it.
struct MemoryPlan {
  size_t head = 0;
  size_t region = 0;
};

/// Attaches the processes that can to memory of their leader: mapped, this process's region
/// reserved, this process marked alive by its position in `local`. A collective: either all
/// processes share memory afterwards, or none. Throws on every process where one of them insists on
/// sharing and it can't be, or where the plans differ.
Neighbours attach_neighbours(Group& group, int rank, SharedMemoryUse use, const MemoryPlan& plan);

} // namespace accel::detail
