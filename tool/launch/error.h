#pragma once

#include <stdexcept>
#include <string>

namespace accel::launch {

/// Exit codes of the command itself; those of 126 and 127 are the shell's.
enum ExitCode { Usage = 2, NotExecutable = 126, NotFound = 127 };

/// A job that cannot start: what to tell the user, and the exit code.
class Error : public std::runtime_error {
public:
  Error(int exit_code, const std::string& message)
      : std::runtime_error(message), exit_code(exit_code) {}

  int exit_code;
};

/// An Error for a system call that failed: `what`, then errno in words.
Error system_error(const std::string& what);

/// Writes `accel launch: MESSAGE` and a newline to stderr in one piece.
void report(const std::string& message);

} // namespace accel::launch
