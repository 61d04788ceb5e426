// Reading environment variables; an error names the variable and its value.
#pragma once

#include <optional>
#include <string>

namespace accel::detail {

/// The largest number of processes that is taken for one.
inline constexpr int most_processes = 1 << 20;

/// The variable's value; null where it is unset or empty.
const char* variable(const char* name);

/// "NAME=value" for an error.
std::string shown(const char* name);

/// The variable as a number; throws std::runtime_error where it is unset, isn't one, or is out of
/// range.
int required_int(const char* name, int least, int most);
int optional_int(const char* name, int least, int most, int otherwise);

/// The variable as true or false; throws where it is neither.
std::optional<bool> read_optional_bool(const char* name);
/// The same; false where it is unset.
bool read_bool(const char* name);

} // namespace accel::detail
