#pragma once

#include <csignal>
#include <optional>

#include "file_descriptor.h"

namespace accel::launch {

/// Signals as a queue to poll. While it lives, those that a job answers to are blocked; one that
/// was ignored when the launcher started (nohup) stays ignored.
class Signals {
public:
  Signals();

  int descriptor() const { return queue_.get(); }
  /// The next signal, if there is one.
  std::optional<int> next();
  /// What a child calls before it executes a program: signals as they were.
  void restore() const;

private:
  FileDescriptor queue_;
  sigset_t original_mask_{};
  struct sigaction original_pipe_{};
};

} // namespace accel::launch
