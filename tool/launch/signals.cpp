#include "signals.h"

#include "error.h"

#include <sys/signalfd.h>

namespace accel::launch {
namespace {

bool is_ignored(int signal) {
  struct sigaction action{};
  sigaction(signal, nullptr, &action);
  return action.sa_handler == SIG_IGN;
}

} // namespace

Signals::Signals() {
  // An inherited "ignore" for SIGCHLD would make the kernel drop exit codes.
  std::signal(SIGCHLD, SIG_DFL);
  // A reader that goes away (| head) is seen by the relay as an error of its write.
  struct sigaction ignore{};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &original_pipe_);

  sigset_t wanted;
  sigemptyset(&wanted);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCHLD})
    if (!is_ignored(signal))
      sigaddset(&wanted, signal);
  sigprocmask(SIG_BLOCK, &wanted, &original_mask_);
  queue_ = FileDescriptor(signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!queue_)
    throw system_error("signalfd");
}

std::optional<int> Signals::next() {
  signalfd_siginfo info{};
  if (read(queue_.get(), &info, sizeof(info)) != sizeof(info))
    return std::nullopt;
  return static_cast<int>(info.ssi_signo);
}

void Signals::restore() const {
  sigaction(SIGPIPE, &original_pipe_, nullptr);
  sigprocmask(SIG_SETMASK, &original_mask_, nullptr);
}

} // namespace accel::launch
