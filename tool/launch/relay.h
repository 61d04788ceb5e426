#pragma once

#include "file_descriptor.h"

#include <memory>
#include <string>

namespace accel::launch {

/// Passes on what the ranks write, whole lines at a time, from a thread of its own: a reader that
/// has stopped reading must not keep the job from ending.
class Relay {
public:
  Relay();
  ~Relay();
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  /// Before start(): lines read from `source` go to `target`, each after `prefix`.
  void add(FileDescriptor source, int target, const std::string& prefix);
  void start();

  /// Asks to pass on what has been written until now and be done, whoever still holds a stream.
  void finish();
  /// Readable when all is passed on.
  int done_descriptor() const;

private:
  struct State;
  std::shared_ptr<State> state_;
};

} // namespace accel::launch
