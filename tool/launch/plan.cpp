#include "plan.h"

#include "error.h"
#include "machine.h"
#include "program.h"

#include <algorithm>
#include <cstdlib>

namespace accel::launch {
namespace {

constexpr int default_port_of_several_machines = 29500;

/// Processes of this machine.
int local_processes(const Options& options, bool cpu) {
  int gpus = cpu ? 0 : visible_gpus(std::getenv("CUDA_VISIBLE_DEVICES"));
  if (!options.num_processes)
    return std::max(gpus, 1);
  if (*options.num_processes % options.num_machines != 0)
    throw Error(Usage, "--num_processes " + std::to_string(*options.num_processes) +
                           " cannot be divided among " + std::to_string(options.num_machines) +
                           " machines");
  int local = *options.num_processes / options.num_machines;
  if (gpus > 0 && local > gpus)
    throw Error(Usage, std::to_string(local) + " processes for " + std::to_string(gpus) +
                           (gpus == 1 ? " visible GPU" : " visible GPUs") +
                           ": ask for at most one for each GPU, or train on the CPUs with --cpu");
  return local;
}

/// The port of rank 0, held where this is its machine; elsewhere only its number matters.
int choose_port(const Options& options, std::optional<PortHold>& hold) {
  int wanted = options.main_process_port.value_or(0);
  if (options.num_machines > 1 && wanted == 0)
    wanted = default_port_of_several_machines;
  if (options.machine_rank > 0)
    return wanted;
  return hold.emplace(wanted).port();
}

Variables job_variables(const Options& options, int local) {
  Variables variables;
  if (options.cpu)
    variables.emplace_back("ACCELERATE_USE_CPU", "true");
  if (options.split_batches)
    variables.emplace_back("ACCEL_SPLIT_BATCHES", "true");
  if (options.threads_per_process)
    variables.emplace_back("OMP_NUM_THREADS", std::to_string(*options.threads_per_process));
  else if (local > 1 && std::getenv("OMP_NUM_THREADS") == nullptr)
    variables.emplace_back("OMP_NUM_THREADS", std::to_string(std::max(1, usable_cores() / local)));
  if (std::getenv("TORCH_NCCL_ASYNC_ERROR_HANDLING") == nullptr)
    variables.emplace_back("TORCH_NCCL_ASYNC_ERROR_HANDLING", "1");
  return variables;
}

} // namespace

Plan make_plan(const Options& options) {
  Plan plan;
  plan.program = find_program(options.command.front());
  plan.arguments = options.command;
  plan.prefix = options.prefix;
  plan.grace_seconds = options.grace_seconds;

  bool cpu = options.cpu || is_true(std::getenv("ACCELERATE_USE_CPU"));
  Place place;
  place.local_processes = local_processes(options, cpu);
  place.machine = options.machine_rank;
  place.machines = options.num_machines;
  plan.processes = place.processes();

  int port = choose_port(options, plan.port);
  std::string address = options.main_process_ip.value_or("127.0.0.1");
  Variables shared = job_variables(options, place.local_processes);
  for (; place.local_rank < place.local_processes; ++place.local_rank) {
    RankPlan rank{place.rank(), rank_variables(place, address, port)};
    rank.variables.insert(rank.variables.end(), shared.begin(), shared.end());
    plan.ranks.push_back(std::move(rank));
  }
  return plan;
}

} // namespace accel::launch
