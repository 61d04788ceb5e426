#include "error.h"
#include "job.h"
#include "options.h"
#include "plan.h"

#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <sys/resource.h>

namespace {

using namespace accel::launch;

/// A pipe must not take the place of a standard stream that was closed when this program started.
void open_standard_streams() {
  int fd = 0;
  do
    fd = open("/dev/null", O_RDWR);
  while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd > STDERR_FILENO)
    close(fd);
}

/// Ends as a program does that got the signal itself, so that a shell's loop stops at Ctrl-C.
void end_by_signal(int signal) {
  rlimit no_core{};
  setrlimit(RLIMIT_CORE, &no_core);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  sigprocmask(SIG_UNBLOCK, &only, nullptr);
  raise(signal);
}

/// One process needs nobody to watch it: it takes this one's place.
[[noreturn]] void become(const Plan& plan) {
  ProcessSpec spec;
  spec.program = plan.program;
  spec.arguments = plan.arguments;
  spec.environment = with_variables(environ, plan.ranks.front().variables);
  execute(spec);
}

int launch(const Options& options) {
  Plan plan = make_plan(options);
  if (plan.processes == 1 && !plan.prefix)
    become(plan);
  Job job(plan);
  JobResult result = job.run();
  if (result.ended_by_signal != 0)
    end_by_signal(result.ended_by_signal);
  return result.exit_code;
}

} // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  try {
    CommandLine line = parse_command_line({argv + 1, argv + argc});
    if (line.job)
      return launch(*line.job);
    std::fputs(line.text.c_str(), stdout);
    return 0;
  } catch (const Error& error) {
    report(error.what());
    return error.exit_code;
  } catch (const std::exception& error) {
    report(error.what());
    return 1;
  }
}
