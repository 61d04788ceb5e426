#pragma once

#include <string>
#include <utility>
#include <vector>

namespace accel::launch {

/// Environment variables to set, in order.
using Variables = std::vector<std::pair<std::string, std::string>>;

/// Where a process stands in its job.
struct Place {
  int local_rank = 0;
  int local_processes = 1;
  int machine = 0;
  int machines = 1;

  int rank() const { return machine * local_processes + local_rank; }
  int processes() const { return machines * local_processes; }
};

/// The variables that torchrun gives to a process at `place`.
Variables rank_variables(const Place& place, const std::string& master_address, int master_port);

/// `environment` (null-terminated, as environ is) with `variables` set over it, as NAME=VALUE.
std::vector<std::string> with_variables(const char* const* environment, const Variables& variables);

/// True for a variable that is set to what Accelerate reads as true.
bool is_true(const char* value);

} // namespace accel::launch
