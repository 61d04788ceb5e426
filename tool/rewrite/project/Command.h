//===- Command.h - Other programs' answers --------------------------------===//
#ifndef ACCEL_REWRITE_PROJECT_COMMAND_H
#define ACCEL_REWRITE_PROJECT_COMMAND_H

#include <optional>
#include <string>
#include <vector>

namespace accel_rewrite {

/// What \p Program (looked up in PATH) prints to stdout; nothing where it can't be run or fails.
std::optional<std::string> outputOf(const std::string& Program,
                                    const std::vector<std::string>& Arguments);

} // namespace accel_rewrite

#endif
