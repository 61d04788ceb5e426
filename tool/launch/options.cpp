#include "options.h"

#include "error.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace accel::launch {
namespace {

const char* const main_help =
    R"(accel: starts training programs that are built with the accel runtime

Usage: accel launch [options] program [arguments]
       accel --version | --help

`accel launch --help` lists its options.
)";

class HelpFormat : public CLI::Formatter {
public:
  HelpFormat() { column_width(38); }
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: accel launch [options] program [arguments]\n\n"
           "Everything after the program is handed to it. Options may be spelled with - or _.\n";
  }
};

/// Writes `--num-processes` as `--num_processes`; a value after `=` stays as it is.
std::string canonical(std::string option) {
  auto end = std::find(option.begin(), option.end(), '=');
  if (option.rfind("--", 0) == 0)
    std::replace(option.begin() + 2, end, '-', '_');
  return option;
}

bool takes_next_argument(const CLI::App& app, const std::string& option) {
  const CLI::Option* known = app.get_option_no_throw(option);
  return known != nullptr && known->get_items_expected_max() > 0;
}

/// Moves the options of `accel launch` out of `arguments`; what is left is the program's, whatever
/// it looks like.
std::vector<std::string> take_own_options(const CLI::App& app,
                                          std::vector<std::string>& arguments) {
  std::vector<std::string> own;
  auto next = arguments.begin();
  while (next != arguments.end() && next->size() > 1 && next->front() == '-') {
    std::string option = canonical(*next++);
    if (option == "--")
      break;
    own.push_back(option);
    if (takes_next_argument(app, option) && next != arguments.end())
      own.push_back(*next++);
  }
  arguments.erase(arguments.begin(), next);
  return own;
}

void declare(CLI::App& app, Options& options) {
  app.add_option("--num_processes", options.num_processes,
                 "Processes of the job, over all machines (default: one\n"
                 "for each visible GPU of this machine, else 1)");
  app.add_flag("--cpu", options.cpu, "Train on the CPUs, GPUs or not");
  app.add_flag("--split_batches", options.split_batches,
               "Divide each batch of the program among the processes\n"
               "(default: each process takes a whole batch)");
  app.add_option("--num_cpu_threads_per_process", options.threads_per_process,
                 "OMP_NUM_THREADS of each process (default: cores / N)");
  app.add_option("--main_process_port", options.main_process_port,
                 "Port where the processes meet (default: a free one;\n"
                 "29500 on several machines)");
  app.add_option("--main_process_ip", options.main_process_ip,
                 "Address of the machine of rank 0 (default: this one)");
  app.add_option("--num_machines", options.num_machines,
                 "Machines of the job; run this command on each (default: 1)");
  app.add_option("--machine_rank", options.machine_rank, "Which of them this is, from 0");
  app.add_flag("--prefix", options.prefix, "Start each line of output with its rank: `[0]: `");
  app.add_option("--grace", options.grace_seconds,
                 "Seconds from a request to end until SIGKILL (default: 3)");
}

[[noreturn]] void usage_error(const std::string& message) {
  throw Error(Usage, message + "\nRun `accel launch --help` for the options.");
}

void at_least(const char* name, double value, double least) {
  if (value >= least)
    return;
  std::ostringstream message;
  message << name << " must be at least " << least << ", not " << value;
  usage_error(message.str());
}

void check(const Options& options) {
  if (options.num_processes)
    at_least("--num_processes", *options.num_processes, 1);
  if (options.threads_per_process)
    at_least("--num_cpu_threads_per_process", *options.threads_per_process, 1);
  at_least("--num_machines", options.num_machines, 1);
  at_least("--grace", options.grace_seconds, 0);
  if (options.machine_rank < 0 || options.machine_rank >= options.num_machines)
    usage_error("--machine_rank must be from 0 to " + std::to_string(options.num_machines - 1) +
                ", one less than --num_machines");
  if (options.num_machines > 1 && !options.main_process_ip)
    usage_error("--num_machines needs --main_process_ip, the address of the machine of rank 0");
  if (options.main_process_port &&
      (*options.main_process_port < 0 || *options.main_process_port > 65535))
    usage_error("--main_process_port must be from 0 to 65535");
  if (options.command.empty())
    usage_error("no program to launch");
}

CommandLine parse_launch(std::vector<std::string> arguments) {
  Options options;
  CLI::App app("Starts a program in several processes that train together", "accel launch");
  app.formatter(std::make_shared<HelpFormat>());
  declare(app, options);
  std::vector<std::string> own = take_own_options(app, arguments);
  options.command = std::move(arguments);
  try {
    std::reverse(own.begin(), own.end());
    app.parse(own);
  } catch (const CLI::CallForHelp&) {
    return {std::nullopt, app.help()};
  } catch (const CLI::ParseError& error) {
    usage_error(error.what());
  }
  check(options);
  return {options, ""};
}

} // namespace

CommandLine parse_command_line(const std::vector<std::string>& arguments) {
  if (arguments.empty())
    throw Error(Usage, std::string("a command is missing\n") + main_help);
  const std::string& command = arguments.front();
  if (command == "launch")
    return parse_launch({arguments.begin() + 1, arguments.end()});
  if (command == "--version")
    return {std::nullopt, "accel " ACCEL_VERSION "\n"};
  if (command == "--help" || command == "-h" || command == "help")
    return {std::nullopt, main_help};
  throw Error(Usage, "unknown command '" + command + "'\n" + main_help);
}

} // namespace accel::launch
