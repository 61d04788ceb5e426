#include "state/ranks.h"

#include "state/variables.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace accel::detail {
namespace {

/// What a launcher calls the four numbers. A missing local one is null.
struct Names {
  Launcher launcher;
  const char* rank;
  const char* size;
  const char* local_rank;
  const char* local_size;
};

constexpr Names torchrun{Launcher::Torchrun, "RANK", "WORLD_SIZE", "LOCAL_RANK",
                         "LOCAL_WORLD_SIZE"};
constexpr Names mpi[] = {
    {Launcher::OpenMpi, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
     "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {Launcher::Mvapich, "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_LOCAL_RANK",
     "MV2_COMM_WORLD_LOCAL_SIZE"},
    {Launcher::Pmi, "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
};

// A batch script and a shell have steps too, with numbers at the end of the range.
constexpr unsigned long first_special_step = 0xfffffff0UL;

const char* slurm_size() {
  return variable("SLURM_STEP_NUM_TASKS") != nullptr ? "SLURM_STEP_NUM_TASKS" : "SLURM_NTASKS";
}

// How many tasks of the step are on this node: 0 where Slurm doesn't say.
int slurm_local_size(int size) {
  if (const char* tasks = variable("SLURM_STEP_TASKS_PER_NODE")) {
    const int node = optional_int("SLURM_NODEID", 0, most_processes, 0);
    if (const int count = tasks_of_node(tasks, node)) {
      return count;
    }
  }
  return optional_int("SLURM_STEP_NUM_NODES", 1, most_processes, 0) == 1 ? size : 0;
}

Ranks read(const Names& names) {
  Ranks ranks;
  ranks.launcher = names.launcher;
  ranks.size = required_int(names.size, 1, most_processes);
  ranks.rank = required_int(names.rank, 0, ranks.size - 1);
  ranks.variables = {names.rank, names.size, names.local_rank};
  // srun gives a step that speaks PMI no MPI_LOCALRANKID, but its own numbers.
  const bool by_slurm = variable(names.local_rank) == nullptr && in_slurm_step();
  ranks.local_rank_variable = by_slurm ? "SLURM_LOCALID" : names.local_rank;
  const char* local_rank = ranks.local_rank_variable.c_str();
  if (variable(local_rank) == nullptr) {
    ranks.local_rank = ranks.rank;
    ranks.local_size = 0;
  } else {
    ranks.local_rank = required_int(local_rank, 0, ranks.size - 1);
    ranks.local_size = by_slurm || names.local_size == nullptr
                           ? slurm_local_size(ranks.size)
                           : optional_int(names.local_size, 1, ranks.size, 0);
  }
  ranks.one_host = ranks.local_size == ranks.size;
  if (ranks.local_size != 0 && ranks.local_rank >= ranks.local_size) {
    throw std::runtime_error("accel: " + shown(local_rank) +
                             " in the environment, but this machine has " +
                             std::to_string(ranks.local_size) +
                             " process(es) of the job. Start the program with one launcher only.");
  }
  ranks.local_size = std::max(ranks.local_size, ranks.local_rank + 1);
  return ranks;
}

// What a launcher other than torchrun and `accel launch` says.
Ranks read_scheduler() {
  for (const Names& names : mpi) {
    if (variable(names.rank) != nullptr || variable(names.size) != nullptr) {
      return read(names);
    }
  }
  if (!in_slurm_step()) {
    return {};
  }
  return read({Launcher::Slurm, "SLURM_PROCID", slurm_size(), "SLURM_LOCALID", nullptr});
}

[[noreturn]] void refuse(const char* name, const Ranks& other, const char* number) {
  const std::string& theirs = other.variables[number == std::string("rank") ? 0 : 1];
  throw std::runtime_error("accel: " + shown(name) + " in the environment, but " +
                           shown(theirs.c_str()) + ": they say different " + number +
                           "s. Unset the one that isn't meant; to run one process alone, set "
                           "RANK=0 and WORLD_SIZE=1.");
}

Ranks read_torchrun() {
  Ranks ranks;
  ranks.launcher = Launcher::Torchrun;
  ranks.variables = {"RANK",        "WORLD_SIZE",         "LOCAL_RANK", "LOCAL_WORLD_SIZE",
                     "MASTER_PORT", "TORCHELASTIC_RUN_ID"};
  ranks.size = required_int("WORLD_SIZE", 1, most_processes);
  if (ranks.size == 1) {
    return ranks;
  }
  if (variable("RANK") == nullptr) {
    throw std::runtime_error("accel: " + shown("WORLD_SIZE") +
                             " is in the environment, but RANK is not. Start the program with "
                             "`accel launch`, `torchrun --no-python` or another launcher that sets "
                             "it, or unset WORLD_SIZE to run one process.");
  }
  ranks.rank = required_int("RANK", 0, ranks.size - 1);
  ranks.local_rank = optional_int("LOCAL_RANK", 0, ranks.size - 1, ranks.rank);
  ranks.local_size = optional_int("LOCAL_WORLD_SIZE", ranks.local_rank + 1, ranks.size, ranks.size);
  ranks.one_host = ranks.local_size == ranks.size;
  return ranks;
}

} // namespace

bool in_slurm_step() {
  if (variable("SLURM_PROCID") == nullptr) {
    return false;
  }
  const char* step = variable("SLURM_STEP_ID");
  step = step != nullptr ? step : variable("SLURM_STEPID");
  if (step != nullptr && std::strtoul(step, nullptr, 10) >= first_special_step) {
    return false;
  }
  return variable("SLURM_STEP_NUM_TASKS") != nullptr ||
         (step != nullptr && variable("SLURM_NTASKS") != nullptr);
}

Ranks read_ranks() {
  const bool has_size = variable("WORLD_SIZE") != nullptr;
  const bool has_rank = variable("RANK") != nullptr;
  if (has_size && has_rank) {
    return read_torchrun();
  }
  Ranks ranks = read_scheduler();
  if (ranks.launcher == Launcher::None) {
    if (has_rank && required_int("RANK", 0, most_processes) > 0) {
      throw std::runtime_error("accel: " + shown("RANK") +
                               " is in the environment, but WORLD_SIZE is not. Start the program "
                               "with a launcher, or unset RANK to run one process.");
    }
    return has_size ? read_torchrun() : Ranks{};
  }
  // One of the two beside a scheduler's own: a leftover, or a script that sets it from those.
  if (has_size && required_int("WORLD_SIZE", 1, most_processes) != ranks.size) {
    refuse("WORLD_SIZE", ranks, "size");
  }
  if (has_rank && required_int("RANK", 0, most_processes) != ranks.rank) {
    refuse("RANK", ranks, "rank");
  }
  return ranks;
}

int tasks_of_node(const std::string& tasks_per_node, int node) {
  const char* at = tasks_per_node.data();
  const char* const end = at + tasks_per_node.size();
  while (at != end) {
    int tasks = 0;
    int nodes = 1;
    auto parsed = std::from_chars(at, end, tasks);
    if (parsed.ec == std::errc() && end - parsed.ptr > 2 &&
        std::strncmp(parsed.ptr, "(x", 2) == 0) {
      parsed = std::from_chars(parsed.ptr + 2, end, nodes);
      parsed.ptr += parsed.ptr == end ? 0 : 1; // the parenthesis
    }
    if (parsed.ec != std::errc()) {
      return 0;
    }
    if (node < nodes) {
      return tasks;
    }
    node -= nodes;
    at = parsed.ptr != end && *parsed.ptr == ',' ? parsed.ptr + 1 : end;
  }
  return 0;
}

std::string first_host(const std::string& node_list) {
  std::string host;
  for (size_t at = 0; at < node_list.size() && node_list[at] != ','; ++at) {
    if (node_list[at] != '[') {
      host += node_list[at];
      continue;
    }
    const size_t first_end = node_list.find_first_of("-,]", at);
    host +=
        node_list.substr(at + 1, first_end == std::string::npos ? first_end : first_end - at - 1);
    at = std::min(node_list.find(']', at), node_list.size() - 1);
  }
  return host;
}

} // namespace accel::detail
