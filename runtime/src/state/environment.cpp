#include "state/environment.h"

#include "state/ranks.h"
#include "state/variables.h"

#include <cstdlib>
#include <stdexcept>

namespace accel::detail {
namespace {

constexpr int usual_port = 29500;

// A port that all tasks of a Slurm step work out alike, outside of those that systems hand out.
int slurm_port() {
  const char* job = variable("SLURM_JOB_ID");
  const char* step = variable("SLURM_STEP_ID");
  const unsigned long number = (job != nullptr ? std::strtoul(job, nullptr, 10) : 0) * 7 +
                               (step != nullptr ? std::strtoul(step, nullptr, 10) : 0);
  return 10000 + static_cast<int>(number % 20000);
}

void meet_by_slurm(Environment& environment) {
  const char* nodes = variable("SLURM_STEP_NODELIST");
  nodes = nodes != nullptr ? nodes : variable("SLURM_NODELIST");
  if (environment.master_address.empty() && nodes != nullptr) {
    environment.master_address = first_host(nodes);
  }
  if (environment.master_port == 0) {
    environment.master_port = slurm_port();
  }
}

// Decides where the processes meet.
void find_meeting(Environment& environment, const Ranks& ranks) {
  const char* address = variable("MASTER_ADDR");
  environment.master_address = address != nullptr ? address : "";
  environment.master_port = optional_int("MASTER_PORT", 1, 65535, 0);
  environment.restart_count = optional_int("TORCHELASTIC_RESTART_COUNT", 0, most_processes, 0);
  const bool by_torchrun = ranks.launcher == Launcher::Torchrun;
  environment.agent_store = by_torchrun && read_bool("TORCHELASTIC_USE_AGENT_STORE");
  // The agent's store is that of torchrun's libtorch, which may be another version: on one machine
  // it isn't needed.
  if (ranks.one_host &&
      (environment.agent_store || (!by_torchrun && environment.master_port == 0))) {
    environment.agent_store = false;
    environment.meet_by_file = true;
    environment.master_address = "127.0.0.1";
    return;
  }
  if (by_torchrun) {
    environment.master_port = required_int("MASTER_PORT", 1, 65535);
  } else if (ranks.launcher == Launcher::Slurm) {
    meet_by_slurm(environment);
  } else if (environment.master_port == 0) {
    environment.master_port = usual_port;
  }
  if (environment.master_address.empty() && ranks.one_host) {
    environment.master_address = "127.0.0.1";
  }
  if (environment.master_address.empty()) {
    throw std::runtime_error(
        "accel: MASTER_ADDR is missing in the environment, and the processes are on several "
        "machines (or the launcher doesn't say that they are on one). Set MASTER_ADDR to the host "
        "name of process 0's machine and MASTER_PORT to a free port there, for all processes; with "
        "Open MPI by `mpirun -x MASTER_ADDR=host -x MASTER_PORT=29500`.");
  }
}

constexpr int most_accumulated = 1 << 20;

SharedMemoryUse read_shared_memory() {
  const char* name = "ACCEL_SHARED_MEMORY";
  const char* value = variable(name);
  if (value == nullptr || std::strcmp(value, "auto") == 0) {
    return SharedMemoryUse::Auto;
  }
  if (std::strcmp(value, "on") == 0) {
    return SharedMemoryUse::On;
  }
  if (std::strcmp(value, "off") == 0) {
    return SharedMemoryUse::Off;
  }
  throw std::runtime_error(std::string("accel: ") + name + "=" + value +
                           " in the environment is none of auto, on and off. Set it to one of "
                           "them, or unset it.");
}

} // namespace

Environment read_environment() {
  Environment environment;
  environment.use_cpu = read_bool("ACCELERATE_USE_CPU");
  environment.split_batches = read_bool("ACCEL_SPLIT_BATCHES");
  environment.even_batches = read_optional_bool("ACCEL_EVEN_BATCHES");
  environment.dispatch_batches = read_optional_bool("ACCEL_DISPATCH_BATCHES");
  environment.non_blocking = read_bool("ACCEL_NON_BLOCKING");
  environment.gradient_accumulation_steps =
      optional_int("ACCELERATE_GRADIENT_ACCUMULATION_STEPS", 1, most_accumulated, 0);
  if (const char* device = variable("ACCELERATE_TORCH_DEVICE")) {
    environment.torch_device = device;
  }
  const Ranks ranks = read_ranks();
  environment.size = ranks.size;
  environment.shared_memory = read_shared_memory();
  if (environment.size == 1) {
    return environment;
  }
  environment.rank = ranks.rank;
  environment.local_rank = ranks.local_rank;
  environment.local_size = ranks.local_size;
  environment.local_rank_variable = ranks.local_rank_variable;
  environment.rank_variables = ranks.variables;
  find_meeting(environment, ranks);
  return environment;
}

} // namespace accel::detail
