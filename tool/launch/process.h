#pragma once

#include "signals.h"

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace accel::launch {

/// How a process ended.
struct ExitStatus {
  bool killed = false;
  int value = 0; ///< exit code, or signal where killed

  bool ok() const { return !killed && value == 0; }
  /// As a shell reports it: the code, or 128 + signal.
  int code() const { return killed ? 128 + value : value; }
};

/// `SIGTERM` and the like.
std::string signal_name(int signal);

/// From now on, orphans of processes started here are this process's to reap (else they are init's,
/// and a container's init may not).
void adopt_orphans();

/// What a process is started with. A descriptor of -1 is inherited.
struct ProcessSpec {
  std::string program;
  std::vector<std::string> arguments;
  std::vector<std::string> environment;
  int input = -1;
  int output = -1;
  int error = -1;
};

/// Replaces this process by the program. Throws Error where that fails.
[[noreturn]] void execute(const ProcessSpec& spec);

/// A running program in a session, and so a process group, of its own. Until reap() its number
/// can't be given to another, even when it has ended, so that signals never go astray.
class Process {
public:
  /// Starts the program; the kernel kills it if this process dies. Throws Error.
  Process(const ProcessSpec& spec, const Signals& signals);

  pid_t id() const { return id_; }
  /// How it ended, if it has.
  std::optional<ExitStatus> status();
  /// To the program and what it started.
  void signal_group(int signal) const { kill(-id_, signal); }
  bool group_is_alive() const { return kill(-id_, 0) == 0; }
  /// Waits for the program's end, and frees its number.
  void reap();
  /// Frees the numbers of what has ended in the group: the program and its orphans.
  void reap_group() const;

private:
  pid_t id_ = -1;
  std::optional<ExitStatus> status_;
};

} // namespace accel::launch
