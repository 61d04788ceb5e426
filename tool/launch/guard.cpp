#include "guard.h"

#include "error.h"

#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>

namespace accel::launch {
namespace {

[[noreturn]] void watch(int alive, const std::vector<pid_t>& groups) {
  setsid();
  prctl(PR_SET_NAME, "accel-guard");
  dup2(alive, STDIN_FILENO);
  closefrom(STDERR_FILENO - 1); // holds no output, no port
  char unused = 0;
  while (read(STDIN_FILENO, &unused, 1) < 0 && errno == EINTR)
    continue;
  for (pid_t group : groups)
    kill(-group, SIGKILL);
  _exit(0);
}

} // namespace

Guard::Guard(const std::vector<pid_t>& groups) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw system_error("pipe");
  FileDescriptor watched(ends[0]);
  alive_ = FileDescriptor(ends[1]);
  id_ = fork();
  if (id_ < 0)
    throw system_error("fork");
  if (id_ == 0)
    watch(watched.get(), groups);
}

Guard::~Guard() {
  kill(id_, SIGKILL);
  waitpid(id_, nullptr, 0);
}

} // namespace accel::launch
