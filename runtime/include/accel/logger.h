// Messages with a level and a name, from one process or from all of them.
#pragma once

#include <torch/arg.h>

#include <string>
#include <utility>

namespace accel {

/// How much a message matters; the numbers are those of Python's logging.
enum class LogLevel : int { Debug = 10, Info = 20, Warning = 30, Error = 40, Critical = 50 };

/// Which processes write a message, set by chaining.
struct LogOptions {
  /// Whether the main process alone writes it, or every process does.
  TORCH_ARG(bool, main_process_only) = true;
  /// Whether every process writes it, one after the other in the order of their numbers, so that
  /// lines don't mix. A collective then, whatever the level is.
  TORCH_ARG(bool, in_order) = false;
};

/// Writes messages to std::cerr, each a line `LEVEL:name:message` written at once, as Python's
/// logging does. Throws std::runtime_error where there is no Accelerator yet, for nobody knows then
/// which process this is. Cheap to copy; const members may be called by several threads, but not
/// with in_order.
class Logger {
public:
  Logger(std::string name, LogLevel level) : name_(std::move(name)), level_(level) {}

  void log(LogLevel level, const std::string& message, const LogOptions& options = {}) const;
  void debug(const std::string& message, const LogOptions& options = {}) const;
  void info(const std::string& message, const LogOptions& options = {}) const;
  void warning(const std::string& message, const LogOptions& options = {}) const;
  void error(const std::string& message, const LogOptions& options = {}) const;
  void critical(const std::string& message, const LogOptions& options = {}) const;

  const std::string& name() const { return name_; }
  LogLevel level() const { return level_; }
  /// Messages below `level` are dropped.
  void set_level(LogLevel level) { level_ = level; }
  bool is_enabled_for(LogLevel level) const { return level >= level_; }

private:
  std::string name_;
  LogLevel level_;
};

/// A logger. `level` is the least that is written, as a name in any case (debug, info, warning,
/// error, critical); where it is empty, that of ACCELERATE_LOG_LEVEL, else warning. Throws
/// std::runtime_error for another name.
Logger get_logger(const std::string& name, const std::string& level = "");

} // namespace accel
