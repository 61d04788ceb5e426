#include "stream.h"

#include "error.h"

#include <cstdlib>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>

namespace accel::launch {
namespace {

/// Empty where the system has no pseudo-terminals to give.
Stream open_terminal(int like) {
  FileDescriptor master(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK));
  char name[128];
  if (!master || grantpt(master.get()) != 0 || unlockpt(master.get()) != 0 ||
      ptsname_r(master.get(), name, sizeof(name)) != 0)
    return {};
  FileDescriptor slave(open(name, O_RDWR | O_NOCTTY | O_CLOEXEC));
  termios mode{};
  if (!slave || tcgetattr(slave.get(), &mode) != 0)
    return {};
  cfmakeraw(&mode); // bytes pass as they are; the real terminal turns \n into \r\n
  tcsetattr(slave.get(), TCSANOW, &mode);
  winsize size{};
  if (ioctl(like, TIOCGWINSZ, &size) == 0)
    ioctl(slave.get(), TIOCSWINSZ, &size);
  return {std::move(master), std::move(slave)};
}

} // namespace

Stream open_stream(int like) {
  if (isatty(like) == 1) {
    Stream terminal = open_terminal(like);
    if (terminal.write)
      return terminal;
  }
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw system_error("pipe");
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

bool same_target(int first, int second) {
  struct stat a{};
  struct stat b{};
  return fstat(first, &a) == 0 && fstat(second, &b) == 0 && a.st_dev == b.st_dev &&
         a.st_ino == b.st_ino;
}

} // namespace accel::launch
