#include "processes.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace accel_test {
namespace {

using Clock = std::chrono::steady_clock;

const char* const child_mark = "ACCEL_TEST_PROCESSES";
const char* const folder_mark = "ACCEL_TEST_FOLDER";

int number_from(const char* name, int otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoi(value);
}

int free_port() {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof(address);
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), length) != 0 ||
      getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length) != 0) {
    std::perror("free_port");
    std::abort();
  }
  close(listener);
  return ntohs(address.sin_port);
}

std::string current_test() {
  const auto* info = testing::UnitTest::GetInstance()->current_test_info();
  return std::string(info->test_suite_name()) + "." + info->name();
}

struct Child {
  pid_t pid = -1;
  FILE* output = nullptr;
  bool running = true;
  Ended ended;
};

// Whether the test's processes must load everything anew: what was read before main() then counts,
// and a driver of GPUs doesn't go through a fork.
bool must_load(const Variables& variables) {
  for (const auto& [name, value] : variables) {
    for (const char* prefix : {"LD_", "GLIBC_", "MALLOC_", "OMP_"}) {
      if (name.rfind(prefix, 0) == 0) {
        return true;
      }
    }
  }
#ifdef __SANITIZE_THREAD__
  return true; // it looks no further in a forked process
#else
  return access("/dev/nvidiactl", F_OK) == 0;
#endif
}

[[noreturn]] void become(const std::string& test, FILE* output, bool load) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(fileno(output), STDOUT_FILENO);
  dup2(fileno(output), STDERR_FILENO);
  if (load) {
    const std::string filter = "--gtest_filter=" + test;
    execl("/proc/self/exe", "accel_runtime_tests", filter.c_str(), "--gtest_brief=1",
          static_cast<char*>(nullptr));
    _exit(127);
  }
  // Loading libtorch takes half a second of a core; this process has done it and has no other
  // thread, so the new one goes on from here.
  at::set_num_threads(1);
  testing::GTEST_FLAG(filter) = test;
  testing::GTEST_FLAG(brief) = true;
  testing::GTEST_FLAG(output) = "";
  std::exit(RUN_ALL_TESTS());
}

void set_environment(int count, int rank, int port, const std::string& folder,
                     const Variables& variables) {
  // The test is chosen already.
  unsetenv("GTEST_TOTAL_SHARDS");
  unsetenv("GTEST_SHARD_INDEX");
  setenv(child_mark, std::to_string(count).c_str(), 1);
  setenv(folder_mark, folder.c_str(), 1);
  setenv("OMP_NUM_THREADS", "1", 1);
  setenv("ACCELERATE_USE_CPU", "true", 0);
  if (count > 1) {
    const std::string number = std::to_string(rank);
    setenv("RANK", number.c_str(), 1);
    setenv("LOCAL_RANK", number.c_str(), 1);
    setenv("WORLD_SIZE", std::to_string(count).c_str(), 1);
    setenv("LOCAL_WORLD_SIZE", std::to_string(count).c_str(), 1);
    setenv("MASTER_ADDR", "127.0.0.1", 1);
    setenv("MASTER_PORT", std::to_string(port).c_str(), 1);
  }
  for (const auto& [name, value] : variables) {
    setenv(name.c_str(), value.c_str(), 1);
  }
}

std::string read_all(FILE* file) {
  std::string text;
  std::rewind(file);
  char buffer[4096];
  while (const size_t count = std::fread(buffer, 1, sizeof(buffer), file)) {
    text.append(buffer, count);
  }
  return text;
}

void reap(std::vector<Child>& children, Clock::time_point begin, Clock::time_point end) {
  bool any = true;
  while (any) {
    any = false;
    for (Child& child : children) {
      int status = 0;
      if (!child.running) {
        continue;
      }
      if (waitpid(child.pid, &status, WNOHANG) == child.pid) {
        child.running = false;
        child.ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      } else if (Clock::now() > end) {
        kill(child.pid, SIGKILL);
        waitpid(child.pid, &status, 0);
        child.running = false;
        child.ended.code = -1;
      } else {
        any = true;
        continue;
      }
      child.ended.after =
          std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

} // namespace

bool is_child() {
  return std::getenv(child_mark) != nullptr;
}
int processes() {
  return number_from(child_mark, 1);
}
int rank() {
  return number_from("RANK", 0);
}
std::string shared_folder() {
  return std::getenv(folder_mark);
}

std::vector<Ended> start(int count, const Variables& variables, std::chrono::seconds limit) {
  char folder[] = "/tmp/accel-test-XXXXXX";
  if (mkdtemp(folder) == nullptr) {
    std::perror("mkdtemp");
    std::abort();
  }
  const std::string test = current_test();
  const bool load = must_load(variables);
  const int port = free_port();
  const auto begin = Clock::now();
  std::vector<Child> children(static_cast<size_t>(count));
  std::fflush(nullptr);
  for (int rank = 0; rank < count; ++rank) {
    Child& child = children[static_cast<size_t>(rank)];
    child.output = std::tmpfile();
    child.pid = fork();
    if (child.pid == 0) {
      set_environment(count, rank, port, folder, variables);
      become(test, child.output, load);
    }
  }
  reap(children, begin, begin + limit);
  std::vector<Ended> ended;
  for (Child& child : children) {
    child.ended.output = read_all(child.output);
    std::fclose(child.output);
    ended.push_back(std::move(child.ended));
  }
  std::filesystem::remove_all(folder);
  return ended;
}

void run_in(std::initializer_list<int> counts, const std::function<void()>& body,
            const Variables& variables) {
  if (is_child()) {
    body();
    return;
  }
  for (const int count : counts) {
    const auto ended = start(count, variables);
    for (size_t rank = 0; rank < ended.size(); ++rank) {
      EXPECT_EQ(ended[rank].code, 0) << "process " << rank << " of " << count << ":\n"
                                     << ended[rank].output;
    }
  }
}

} // namespace accel_test
