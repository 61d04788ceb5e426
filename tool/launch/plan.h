#pragma once

#include "environment.h"
#include "options.h"
#include "port.h"

#include <optional>
#include <string>
#include <vector>

namespace accel::launch {

/// One process to start.
struct RankPlan {
  int rank = 0;
  Variables variables;
};

/// A job that can be started: everything is decided and checked.
struct Plan {
  std::string program;                ///< the file to execute
  std::vector<std::string> arguments; ///< argv, the program's name as it was typed first
  std::vector<RankPlan> ranks;        ///< of this machine
  int processes = 1;                  ///< of the whole job
  std::optional<PortHold> port;       ///< held on the machine of rank 0
  bool prefix = false;
  double grace_seconds = 3;
};

/// Decides what `options` mean on this machine and in this environment. Throws Error.
Plan make_plan(const Options& options);

} // namespace accel::launch
