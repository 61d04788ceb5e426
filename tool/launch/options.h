#pragma once

#include <optional>
#include <string>
#include <vector>

namespace accel::launch {

/// What `accel launch` was asked to do, before anything is known about the machine.
struct Options {
  std::optional<int> num_processes; ///< of the whole job, over all machines
  int num_machines = 1;
  int machine_rank = 0;
  std::optional<std::string> main_process_ip;
  std::optional<int> main_process_port;
  std::optional<int> threads_per_process;
  bool cpu = false;
  bool split_batches = false;
  bool prefix = false;
  double grace_seconds = 3;
  std::vector<std::string> command; ///< the program and its arguments, untouched
};

/// A command line is a job to launch, or else a text to print (help, version).
struct CommandLine {
  std::optional<Options> job;
  std::string text;
};

/// Reads the arguments after `accel`. Throws Error with ExitCode::Usage.
CommandLine parse_command_line(const std::vector<std::string>& arguments);

} // namespace accel::launch
