// Who a process is, by the variables of launchers.
#include "state/environment.h"
#include "state/ranks.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace accel_test {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

accel::detail::Environment read_with(const Settings& variables) {
  struct Restore {
    const Settings& variables;
    ~Restore() {
      for (const auto& [name, value] : variables) {
        unsetenv(name.c_str());
      }
    }
  } const restore{variables};
  for (const auto& [name, value] : variables) {
    setenv(name.c_str(), value.c_str(), 1);
  }
  return accel::detail::read_environment();
}

void expect_refused(const Settings& variables, const std::vector<std::string>& parts) {
  try {
    read_with(variables);
    ADD_FAILURE() << "no error for " << variables.front().first;
  } catch (const std::runtime_error& error) {
    for (const auto& part : parts) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }
}

void expect_process(const Settings& variables, std::vector<int> numbers) {
  const auto environment = read_with(variables);
  EXPECT_EQ((std::vector<int>{environment.rank, environment.size, environment.local_rank,
                              environment.local_size}),
            numbers)
      << variables.front().first;
}

Settings operator+(Settings a, const Settings& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const Settings open_mpi{{"OMPI_COMM_WORLD_RANK", "1"},
                        {"OMPI_COMM_WORLD_SIZE", "3"},
                        {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                        {"OMPI_COMM_WORLD_LOCAL_SIZE", "3"}};
const Settings slurm{{"SLURM_PROCID", "3"},
                     {"SLURM_LOCALID", "1"},
                     {"SLURM_STEP_ID", "0"},
                     {"SLURM_STEP_NUM_TASKS", "5"},
                     {"SLURM_STEP_TASKS_PER_NODE", "2(x2),1"},
                     {"SLURM_NODEID", "1"},
                     {"SLURM_NTASKS", "8"},
                     {"SLURM_JOB_ID", "4711"},
                     {"SLURM_STEP_NODELIST", "gpu[03-05],login"}};

TEST(Environment, ThatIsMalformedIsRefusedByName) {
  expect_refused({{"WORLD_SIZE", "two"}}, {"WORLD_SIZE=two", "not a number"});
  expect_refused({{"WORLD_SIZE", "0"}}, {"WORLD_SIZE=0"});
  expect_refused({{"WORLD_SIZE", "2"}}, {"RANK", "accel launch"});
  expect_refused({{"WORLD_SIZE", "2"}, {"RANK", "2"}, {"MASTER_PORT", "29500"}},
                 {"RANK=2", "from 0 to 1"});
  expect_refused({{"WORLD_SIZE", "2"}, {"RANK", "-1"}}, {"RANK=-1"});
  expect_refused({{"WORLD_SIZE", "2"}, {"RANK", "1"}}, {"MASTER_PORT"});
  expect_refused({{"WORLD_SIZE", "2"}, {"RANK", "1"}, {"MASTER_PORT", "99999"}}, {"MASTER_PORT"});
  expect_refused({{"WORLD_SIZE", "2"}, {"RANK", "1"}, {"LOCAL_RANK", "2"}}, {"LOCAL_RANK=2"});
  expect_refused({{"WORLD_SIZE", "2"}, {"RANK", "1"}, {"LOCAL_WORLD_SIZE", "3"}},
                 {"LOCAL_WORLD_SIZE=3"});
  expect_refused({{"RANK", "1"}}, {"RANK=1", "WORLD_SIZE is not"});
  expect_refused({{"ACCEL_SPLIT_BATCHES", "maybe"}},
                 {"ACCEL_SPLIT_BATCHES=maybe", "neither true nor false"});
  expect_refused({{"OMPI_COMM_WORLD_SIZE", "2"}}, {"OMPI_COMM_WORLD_RANK"});
  expect_refused({{"PMI_RANK", "2"}, {"PMI_SIZE", "2"}}, {"PMI_RANK=2"});
}

TEST(Environment, WithoutALauncherIsOneProcess) {
  for (const auto& variables :
       {Settings{}, Settings{{"RANK", "0"}}, Settings{{"WORLD_SIZE", "1"}}}) {
    const auto environment = read_with(variables);
    EXPECT_EQ(environment.size, 1);
    EXPECT_EQ(environment.rank, 0);
  }
}

TEST(Environment, IsReadFromEveryLauncher) {
  expect_process({{"RANK", "5"},
                  {"WORLD_SIZE", "8"},
                  {"LOCAL_RANK", "1"},
                  {"LOCAL_WORLD_SIZE", "4"},
                  {"MASTER_ADDR", "10.0.0.1"},
                  {"MASTER_PORT", "29500"}},
                 {5, 8, 1, 4});
  expect_process(open_mpi, {1, 3, 1, 3});
  expect_process({{"MV2_COMM_WORLD_RANK", "1"},
                  {"MV2_COMM_WORLD_SIZE", "2"},
                  {"MV2_COMM_WORLD_LOCAL_RANK", "1"},
                  {"MV2_COMM_WORLD_LOCAL_SIZE", "2"}},
                 {1, 2, 1, 2});
  expect_process(
      {{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}, {"MPI_LOCALRANKID", "1"}, {"MPI_LOCALNRANKS", "2"}},
      {1, 2, 1, 2});
  expect_process(slurm, {3, 5, 1, 2});
  // A step of srun --mpi=pmi2.
  expect_process(slurm + Settings{{"PMI_RANK", "3"}, {"PMI_SIZE", "5"}, {"MASTER_ADDR", "gpu03"}},
                 {3, 5, 1, 2});
}

TEST(Environment, TakesTheLauncherThatWasStartedByTheOther) {
  const Settings torchrun{{"RANK", "0"},
                          {"WORLD_SIZE", "2"},
                          {"LOCAL_RANK", "0"},
                          {"MASTER_PORT", "29500"},
                          {"LOCAL_WORLD_SIZE", "2"}};
  expect_process(torchrun + slurm + open_mpi, {0, 2, 0, 2});
  expect_process(open_mpi + slurm, {1, 3, 1, 3});
  // One process alone in a task of srun.
  expect_process(slurm + Settings{{"RANK", "0"}, {"WORLD_SIZE", "1"}}, {0, 1, 0, 1});
}

TEST(Environment, ThatContradictsItselfIsRefused) {
  expect_refused(open_mpi + Settings{{"WORLD_SIZE", "4"}},
                 {"WORLD_SIZE=4", "OMPI_COMM_WORLD_SIZE=3"});
  expect_refused(open_mpi + Settings{{"RANK", "0"}}, {"RANK=0", "OMPI_COMM_WORLD_RANK=1"});
  expect_refused({{"OMPI_COMM_WORLD_RANK", "1"},
                  {"OMPI_COMM_WORLD_SIZE", "4"},
                  {"OMPI_COMM_WORLD_LOCAL_RANK", "2"},
                  {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}},
                 {"OMPI_COMM_WORLD_LOCAL_RANK=2", "2 process"});
  // The same said twice is none.
  expect_process(open_mpi + Settings{{"WORLD_SIZE", "3"}}, {1, 3, 1, 3});
}

TEST(Environment, OfASlurmScriptIsOneProcessAndOfAStepItsTasks) {
  // A batch script has the number of the job's tasks, and no step.
  expect_process({{"SLURM_NTASKS", "4"}, {"SLURM_PROCID", "0"}, {"SLURM_LOCALID", "0"}},
                 {0, 1, 0, 1});
  expect_process({{"SLURM_NTASKS", "4"}, {"SLURM_PROCID", "0"}, {"SLURM_STEP_ID", "4294967291"}},
                 {0, 1, 0, 1});
  expect_process({{"SLURM_NTASKS", "2"},
                  {"SLURM_PROCID", "1"},
                  {"SLURM_LOCALID", "1"},
                  {"SLURM_STEP_ID", "0"},
                  {"SLURM_STEP_NUM_NODES", "1"}},
                 {1, 2, 1, 2});
}

TEST(Environment, FindsTheMeetingWithoutTheUsersHelp) {
  const auto alone = read_with(open_mpi);
  EXPECT_TRUE(alone.meet_by_file);
  const auto told = read_with(open_mpi + Settings{{"MASTER_PORT", "29501"}});
  EXPECT_FALSE(told.meet_by_file);
  EXPECT_EQ(told.master_address + ":" + std::to_string(told.master_port), "127.0.0.1:29501");
  // Slurm's tasks on several nodes work the place out.
  const auto nodes = read_with(slurm);
  EXPECT_FALSE(nodes.meet_by_file);
  EXPECT_EQ(nodes.master_address, "gpu03");
  EXPECT_GE(nodes.master_port, 10000);
  EXPECT_LT(nodes.master_port, 30000);
  EXPECT_EQ(read_with(slurm + Settings{{"MASTER_PORT", "29502"}}).master_port, 29502);
  const Settings spread{{"OMPI_COMM_WORLD_RANK", "1"},
                        {"OMPI_COMM_WORLD_SIZE", "4"},
                        {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                        {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}};
  expect_refused(spread, {"MASTER_ADDR", "mpirun -x"});
  EXPECT_EQ(read_with(spread + Settings{{"MASTER_ADDR", "a"}}).master_port, 29500);
  // torchrun's store is of torchrun's libtorch: on one machine it is not asked.
  const Settings torchrun{
      {"RANK", "0"},           {"WORLD_SIZE", "2"},      {"LOCAL_RANK", "0"},
      {"MASTER_ADDR", "host"}, {"MASTER_PORT", "29500"}, {"TORCHELASTIC_USE_AGENT_STORE", "True"}};
  EXPECT_TRUE(read_with(torchrun + Settings{{"LOCAL_WORLD_SIZE", "2"}}).meet_by_file);
  EXPECT_TRUE(read_with(torchrun + Settings{{"LOCAL_WORLD_SIZE", "1"}}).agent_store);
}

TEST(Slurm, ListsOfNodesAndTasksAreRead) {
  using accel::detail::first_host;
  using accel::detail::tasks_of_node;
  EXPECT_EQ(first_host("node7"), "node7");
  EXPECT_EQ(first_host("a,b"), "a");
  EXPECT_EQ(first_host("node[01-04,07],x"), "node01");
  EXPECT_EQ(first_host("node[3,5]"), "node3");
  EXPECT_EQ(first_host("rack[0-3]n[1-2].cluster"), "rack0n1.cluster");
  EXPECT_EQ(tasks_of_node("4", 0), 4);
  EXPECT_EQ(tasks_of_node("2(x3),1", 2), 2);
  EXPECT_EQ(tasks_of_node("2(x3),1", 3), 1);
  EXPECT_EQ(tasks_of_node("2(x3),1", 4), 0);
  EXPECT_EQ(tasks_of_node("many", 0), 0);
}

} // namespace
} // namespace accel_test
