#include <accel/logger.h>

#include "state/state.h"
#include "state/variables.h"

#include <algorithm>
#include <cctype>
#include <iostream>
#include <stdexcept>

namespace accel {
namespace {

struct NamedLevel {
  const char* name;
  LogLevel level;
};

// The first name of a level is the one that is written.
constexpr NamedLevel levels[] = {
    {"DEBUG", LogLevel::Debug},    {"INFO", LogLevel::Info},   {"WARNING", LogLevel::Warning},
    {"WARN", LogLevel::Warning},   {"ERROR", LogLevel::Error}, {"CRITICAL", LogLevel::Critical},
    {"FATAL", LogLevel::Critical},
};

LogLevel parse_level(const std::string& text, const std::string& source) {
  std::string upper = text;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  for (const NamedLevel& known : levels) {
    if (upper == known.name) {
      return known.level;
    }
  }
  throw std::runtime_error("accel: " + source + text +
                           " is not a level of messages. Set it to debug, info, warning, error or "
                           "critical.");
}

const char* name_of(LogLevel level) {
  for (const NamedLevel& known : levels) {
    if (level == known.level) {
      return known.name;
    }
  }
  return "LOG";
}

void write_in_order(detail::State& state, const std::string& line) {
  detail::Record record;
  record.action = detail::Record::Action::Log;
  for (int rank = 0; rank < state.size(); ++rank) {
    if (rank == state.rank()) {
      std::cerr << line << std::flush;
    }
    if (state.size() > 1) {
      static_cast<void>(state.exchange(record));
    }
  }
}

} // namespace

void Logger::log(LogLevel level, const std::string& message, const LogOptions& options) const {
  const auto state = detail::State::current();
  if (!state) {
    throw std::runtime_error("accel: logger " + name_ +
                             " was used before the first accel::Accelerator of the process; make "
                             "one first.");
  }
  const bool enabled = is_enabled_for(level);
  const std::string line =
      enabled ? std::string(name_of(level)) + ":" + name_ + ":" + message + "\n" : "";
  if (options.in_order()) {
    write_in_order(*state, line);
  } else if (enabled && (!options.main_process_only() || state->rank() == 0)) {
    std::cerr << line << std::flush;
  }
}

void Logger::debug(const std::string& message, const LogOptions& options) const {
  log(LogLevel::Debug, message, options);
}
void Logger::info(const std::string& message, const LogOptions& options) const {
  log(LogLevel::Info, message, options);
}
void Logger::warning(const std::string& message, const LogOptions& options) const {
  log(LogLevel::Warning, message, options);
}
void Logger::error(const std::string& message, const LogOptions& options) const {
  log(LogLevel::Error, message, options);
}
void Logger::critical(const std::string& message, const LogOptions& options) const {
  log(LogLevel::Critical, message, options);
}

Logger get_logger(const std::string& name, const std::string& level) {
  if (!level.empty()) {
    return {name, parse_level(level, "log level ")};
  }
  const char* variable = detail::variable("ACCELERATE_LOG_LEVEL");
  return {name,
          variable == nullptr ? LogLevel::Warning : parse_level(variable, "ACCELERATE_LOG_LEVEL=")};
}

} // namespace accel
