#include "error.h"

#include "file_descriptor.h"

#include <cerrno>
#include <cstring>

namespace accel::launch {

Error system_error(const std::string& what) {
  return Error(1, what + ": " + std::strerror(errno));
}

void report(const std::string& message) {
  std::string line = "accel launch: " + message + "\n";
  write_all(STDERR_FILENO, line.data(), line.size());
}

} // namespace accel::launch
