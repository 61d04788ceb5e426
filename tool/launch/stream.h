#pragma once

#include "file_descriptor.h"

namespace accel::launch {

/// Both ends of what a process writes to in place of one of the launcher's own descriptors.
struct Stream {
  FileDescriptor read; ///< non-blocking
  FileDescriptor write;
};

/// A terminal where `like` is one, else a pipe: so a program buffers and colours its output as it
/// does without the launcher.
Stream open_stream(int like);

/// True where two descriptors lead to the same place (2>&1, or one terminal).
bool same_target(int first, int second);

} // namespace accel::launch
