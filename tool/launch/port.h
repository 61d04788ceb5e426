#pragma once

#include "file_descriptor.h"

namespace accel::launch {

/// A TCP port of this machine, kept for the job: it is bound, not listened on, so that rank 0 (any
/// server that sets SO_REUSEADDR, as libtorch's store does) can listen on it and no other program
/// is given it.
class PortHold {
public:
  /// Holds `port`, or a free one for 0. Throws Error where it is busy.
  explicit PortHold(int port);

  int port() const { return port_; }

private:
  FileDescriptor socket_;
  FileDescriptor claim_; ///< keeps other launchers off a port that was asked for
  int port_ = 0;
};

} // namespace accel::launch
