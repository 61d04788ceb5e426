#include "process.h"

#include "error.h"

#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>

namespace accel::launch {
namespace {

/// The null-terminated array of pointers that exec takes. It points into `strings`.
std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> result;
  result.reserve(strings.size() + 1);
  for (const std::string& string : strings)
    result.push_back(const_cast<char*>(string.c_str()));
  result.push_back(nullptr);
  return result;
}

Error execute_error(const std::string& program, int error) {
  int code = error == ENOENT ? NotFound : NotExecutable;
  return Error(code, "cannot execute " + program + ": " + std::strerror(error));
}

/// Runs in the child, between fork and exec: only calls that are safe there.
void become_rank(const ProcessSpec& spec, const Signals& signals, pid_t launcher) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != launcher)
    _exit(1);
  setsid();
  if (spec.input >= 0)
    dup2(spec.input, STDIN_FILENO);
  if (spec.output >= 0)
    dup2(spec.output, STDOUT_FILENO);
  if (spec.error >= 0)
    dup2(spec.error, STDERR_FILENO);
  signals.restore();
}

} // namespace

std::string signal_name(int signal) {
  const char* name = sigabbrev_np(signal);
  return name == nullptr ? "signal " + std::to_string(signal) : std::string("SIG") + name;
}

void execute(const ProcessSpec& spec) {
  std::vector<char*> argv = pointers(spec.arguments);
  std::vector<char*> environment = pointers(spec.environment);
  execvpe(spec.program.c_str(), argv.data(), environment.data());
  throw execute_error(spec.program, errno);
}

Process::Process(const ProcessSpec& spec, const Signals& signals) {
  std::vector<char*> argv = pointers(spec.arguments);
  std::vector<char*> environment = pointers(spec.environment);
  int ends[2]; // tells why exec failed, by closing that it has not
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw system_error("pipe");
  FileDescriptor failure(ends[0]);
  FileDescriptor failure_write(ends[1]);

  pid_t launcher = getpid();
  id_ = fork();
  if (id_ < 0)
    throw system_error("fork");
  if (id_ == 0) {
    become_rank(spec, signals, launcher);
    execvpe(spec.program.c_str(), argv.data(), environment.data());
    int error = errno;
    write_all(failure_write.get(), reinterpret_cast<const char*>(&error), sizeof(error));
    _exit(127);
  }
  failure_write.reset();
  int error = 0;
  if (read(failure.get(), &error, sizeof(error)) == sizeof(error)) {
    reap();
    throw execute_error(spec.program, error);
  }
}

std::optional<ExitStatus> Process::status() {
  siginfo_t info{};
  if (!status_ && waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
      info.si_pid != 0)
    status_ = ExitStatus{info.si_code != CLD_EXITED, info.si_status};
  return status_;
}

void Process::reap() {
  waitpid(id_, nullptr, 0);
}

void Process::reap_group() const {
  while (waitpid(-id_, nullptr, WNOHANG) > 0)
    continue;
}

void adopt_orphans() {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

} // namespace accel::launch
