#include "state/variables.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace accel::detail {

const char* variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

std::string shown(const char* name) {
  const char* value = variable(name);
  return value == nullptr ? std::string("no ") + name : std::string(name) + "=" + value;
}

int required_int(const char* name, int least, int most) {
  const char* value = variable(name);
  if (value == nullptr) {
    throw std::runtime_error(std::string("accel: ") + name +
                             " is missing in the environment. Start the program with `accel "
                             "launch`, `torchrun --no-python`, `mpirun` or `srun`.");
  }
  int number = 0;
  const char* end = value + std::strlen(value);
  const auto [stop, error] = std::from_chars(value, end, number);
  if (error != std::errc() || stop != end || number < least || number > most) {
    throw std::runtime_error(
        "accel: " + shown(name) + " in the environment is not a number from " +
        std::to_string(least) + " to " + std::to_string(most) +
        ". Start the program with a launcher that sets it, or unset the variables of that launcher "
        "to run one process.");
  }
  return number;
}

int optional_int(const char* name, int least, int most, int otherwise) {
  return variable(name) == nullptr ? otherwise : required_int(name, least, most);
}

std::optional<bool> read_optional_bool(const char* name) {
  const char* value = variable(name);
  if (value == nullptr) {
    return std::nullopt;
  }
  std::string word = value;
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const char* yes : {"1", "true", "yes", "on", "y", "t"}) {
    if (word == yes) {
      return true;
    }
  }
  for (const char* no : {"0", "false", "no", "off", "n", "f"}) {
    if (word == no) {
      return false;
    }
  }
  throw std::runtime_error("accel: " + shown(name) +
                           " in the environment is neither true nor false. Set it to true or "
                           "false, or unset it.");
}

bool read_bool(const char* name) {
  return read_optional_bool(name).value_or(false);
}

} // namespace accel::detail
