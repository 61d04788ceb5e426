// What the environment says about this process and the others.
#pragma once

#include <accel/options.h>

#include <optional>
#include <string>
#include <vector>

namespace accel::detail {

/// The variables that launchers set (torchrun, `accel launch`, mpirun, srun) and accel's own, read
/// and checked.
struct Environment {
  int rank = 0;
  int size = 1;
  int local_rank = 0;
  int local_size = 1;
  /// The variable that says local_rank.
  std::string local_rank_variable = "LOCAL_RANK";
  /// The variables that say who this process is; see Ranks.
  std::vector<std::string> rank_variables;
  /// Where the processes meet, unless they meet by a file.
  std::string master_address;
  int master_port = 0;
  /// All processes are on this machine and no port was told: they meet by a file (comm/meeting.h).
  bool meet_by_file = false;
  /// torchrun's agent runs the store (TORCHELASTIC_USE_AGENT_STORE), and the processes meet there.
  bool agent_store = false;
  int restart_count = 0;
  bool use_cpu = false;
  /// ACCELERATE_TORCH_DEVICE, or empty.
  std::string torch_device;
  bool split_batches = false;
  /// ACCELERATE_GRADIENT_ACCUMULATION_STEPS; 0: not set.
  int gradient_accumulation_steps = 0;
  SharedMemoryUse shared_memory = SharedMemoryUse::Auto;
  std::optional<bool> even_batches;
  std::optional<bool> dispatch_batches;
  bool non_blocking = false;
};

/// Reads the environment. Throws std::runtime_error that names the variable, its value and what to
/// do where one is missing, malformed or contradicts another. Where no launcher says that there are
/// several processes, there is one and nothing else of the group is read.
Environment read_environment();

} // namespace accel::detail
