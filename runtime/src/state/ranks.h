// Which process this is, as the launcher that started it says.
#pragma once

#include <string>
#include <vector>

namespace accel::detail {

/// The launchers whose variables are known, in the order in which they are asked: one that was
/// started by another (torchrun by srun) comes before it.
enum class Launcher { None, Torchrun, OpenMpi, Mvapich, Pmi, Slurm };

struct Ranks {
  int rank = 0;
  int size = 1;
  int local_rank = 0;
  int local_size = 1;
  /// Whether all processes are known to be on this machine.
  bool one_host = true;
  Launcher launcher = Launcher::None;
  /// The variables that were read: a process which was started with the same values belongs to this
  /// one (a shell around it), one with others doesn't (the launcher).
  std::vector<std::string> variables;
  /// The variable that says local_rank, for errors.
  std::string local_rank_variable = "LOCAL_RANK";
};

/// Reads the launchers' variables. Throws std::runtime_error that names the variable, its value and
/// what to do where one is missing, malformed or contradicts another. Without any there is one
/// process.
Ranks read_ranks();

/// Slurm's "2(x3),1": the tasks of node `node`, or 0 where the text doesn't say.
int tasks_of_node(const std::string& tasks_per_node, int node);

/// The first host of Slurm's "gpu[03-05,9],login": gpu03.
std::string first_host(const std::string& node_list);

/// Whether this process is a task of a Slurm step (srun), and not a batch script.
bool in_slurm_step();

} // namespace accel::detail
