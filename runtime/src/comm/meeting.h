// How the processes of one machine find the port of process 0 when nobody told them one.
#pragma once

#include <chrono>
#include <memory>
#include <string>

namespace accel::detail {

/// A file in a folder of the user's own (mode 0700, in $TMPDIR or /tmp), named by the process that
/// launched the job: process 0 writes its port there, the others wait for it. Where process 0 dies
/// before it removes the file, the file is known to be stale by the dead process it names.
class Meeting {
public:
  /// `launcher`: launcher_identity(); `attempt` counts the launcher's restarts.
  Meeting(const std::string& launcher, int attempt);
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;
  ~Meeting();

  /// On process 0. Throws std::runtime_error where the file can't be written or where its folder is
  /// another user's. The file goes when the object does.
  void announce(int port);
  /// On the others: waits for the port. Throws std::runtime_error after `limit`.
  int wait(std::chrono::milliseconds limit) const;

private:
  std::string folder_;
  std::string file_;
  bool announced_ = false;
};

} // namespace accel::detail
