// The same program under launchers that tell no address: how its processes find each other.
#include "models.h"

#include "comm/meeting.h"
#include "state/launcher_process.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace accel_test {
namespace {

namespace fs = std::filesystem;

/// A folder that goes with the object.
struct Folder {
  Folder() {
    char name[] = "/tmp/accel-test-XXXXXX";
    path = mkdtemp(name);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path); }

  /// What accel left in it.
  std::vector<std::string> left() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path)) {
      if (entry.path().filename().string().rfind("accel-", 0) == 0) {
        names.push_back(entry.path().string());
      }
    }
    return names;
  }
  std::string path;
};

// The environment of `count` tasks of srun on one node, in place of the one that the test's
// processes have.
void become_slurm_task(const std::string& temporary_folder) {
  const std::string number = std::to_string(rank());
  for (const char* name :
       {"RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"}) {
    unsetenv(name);
  }
  setenv("SLURM_PROCID", number.c_str(), 1);
  setenv("SLURM_LOCALID", number.c_str(), 1);
  setenv("SLURM_STEP_ID", "0", 1);
  setenv("SLURM_STEP_NUM_TASKS", std::to_string(processes()).c_str(), 1);
  setenv("SLURM_STEP_NUM_NODES", "1", 1);
  setenv("TMPDIR", temporary_folder.c_str(), 1);
}

TEST(Launcher, ThatTellsNoAddressLeavesNothingBehind) {
  run_in({2, 3}, [] {
    const int number = rank();
    become_slurm_task(shared_folder());
    accel::Accelerator accelerator;
    EXPECT_EQ(accelerator.num_processes(), processes());
    EXPECT_EQ(accelerator.process_index(), number);
    EXPECT_EQ(accelerator.local_process_index(), number);
    EXPECT_EQ(accelerator.reduce(1), processes());
    accelerator.wait_for_everyone();
    EXPECT_TRUE(fs::is_empty(shared_folder()));
  });
}

TEST(Meeting, IgnoresWhatADeadProcessLeft) {
  const Folder folder;
  setenv("TMPDIR", folder.path.c_str(), 1);
  const std::string launcher = accel::detail::identity(getpid());
  ASSERT_FALSE(launcher.empty());
  const std::string place = folder.path + "/accel-" + std::to_string(geteuid()) + "-" + launcher;
  fs::create_directory(place);
  chmod(place.c_str(), 0700);
  // Of a process with this one's number that was started at another time.
  std::ofstream(place + "/port-0") << "1234 " << getpid() << "-1\n";
  {
    accel::detail::Meeting other(launcher, 0);
    EXPECT_THROW(other.wait(std::chrono::milliseconds(20)), std::runtime_error);
    accel::detail::Meeting main(launcher, 0);
    main.announce(4321);
    EXPECT_EQ(other.wait(std::chrono::seconds(10)), 4321);
    // Another attempt and another launcher are other meetings.
    EXPECT_THROW(accel::detail::Meeting(launcher, 1).wait(std::chrono::milliseconds(20)),
                 std::runtime_error);
  }
  EXPECT_TRUE(folder.left().empty());
  unsetenv("TMPDIR");
}

TEST(Meeting, RefusesAFolderThatOthersCanWriteTo) {
  const Folder folder;
  setenv("TMPDIR", folder.path.c_str(), 1);
  const std::string place = folder.path + "/accel-" + std::to_string(geteuid()) + "-1-1";
  fs::create_directory(place);
  chmod(place.c_str(), 0777);
  accel::detail::Meeting meeting("1-1", 0);
  try {
    meeting.announce(4321);
    FAIL() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find(place), std::string::npos) << error.what();
  }
  unsetenv("TMPDIR");
}

struct Outcome {
  int status = -1;
  std::string output;
};

Outcome shell(const std::string& command) {
  Outcome outcome;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::array<char, 4096> buffer{};
  while (const size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    outcome.output.append(buffer.data(), count);
  }
  outcome.status = pclose(pipe);
  return outcome;
}

// `program` under mpirun in two processes; {} in it stands for this test's executable.
std::string mpirun(std::string program, const Folder& folder) {
  const auto* info = testing::UnitTest::GetInstance()->current_test_info();
  const std::string self = fs::read_symlink("/proc/self/exe").string() + " --gtest_brief=1 " +
                           "--gtest_filter=" + info->test_suite_name() + "." + info->name();
  program.replace(program.find("{}"), 2, self);
  return "ACCEL_TEST_PROCESSES=2 ACCELERATE_USE_CPU=true OMP_NUM_THREADS=1 TMPDIR=" + folder.path +
         " timeout -k 5 90 mpirun --allow-run-as-root --oversubscribe -n 2 " + program;
}

void train_as_one_of_two() {
  accel::Accelerator accelerator;
  EXPECT_EQ(accelerator.num_processes(), 2);
  EXPECT_EQ(accelerator.reduce(accelerator.process_index()), 1);
  EXPECT_EQ(accelerator.reduce(accelerator.local_process_index()), 1);
  accelerator.wait_for_everyone();
}

TEST(OpenMpi, StartsTheSameProgram) {
  if (is_child()) {
    train_as_one_of_two();
    return;
  }
  if (shell("command -v mpirun").status != 0) {
    GTEST_SKIP() << "mpirun is not installed (openmpi-bin)";
  }
  const Folder folder;
  // Two jobs at once, one of them with a shell between the launcher and the program.
  Outcome direct;
  std::thread beside([&] { direct = shell(mpirun("{}", folder)); });
  const Outcome wrapped = shell(mpirun("sh -c '{}; exit $?'", folder));
  beside.join();
  EXPECT_EQ(direct.status, 0) << direct.output;
  EXPECT_EQ(wrapped.status, 0) << wrapped.output;
  EXPECT_TRUE(folder.left().empty());
}

} // namespace
} // namespace accel_test
