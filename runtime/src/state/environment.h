// What the environment says about this process and the others.
#pragma once

#include <optional>
#include <string>

namespace accel::detail {

/// The variables that torchrun and `accel launch` set, read and checked.
struct Environment {
  int rank = 0;
  int size = 1;
  int local_rank = 0;
  int local_size = 1;
  std::string master_address;
  int master_port = 0;
  /// torchrun's agent runs the store (TORCHELASTIC_USE_AGENT_STORE).
  bool agent_store = false;
  int restart_count = 0;
  bool use_cpu = false;
  bool split_batches = false;
  std::optional<bool> even_batches;
  std::optional<bool> dispatch_batches;
  bool non_blocking = false;
};

/// Reads the environment. Throws std::runtime_error that names the variable, its value and what to
/// do where one is missing or malformed. Without WORLD_SIZE, or with WORLD_SIZE=1, there is one
/// process and nothing else of the group is read.
Environment read_environment();

} // namespace accel::detail
