#include "state/environment.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace accel::detail {
namespace {

const char* const launch_hint =
    " Start the program with `accel launch`, `torchrun --no-python` or another launcher that sets "
    "it, or unset WORLD_SIZE to run one process.";

const char* variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

int read_int(const char* name, const char* value, int least, int most) {
  int number = 0;
  const char* end = value + std::strlen(value);
  const auto [stop, error] = std::from_chars(value, end, number);
  if (error != std::errc() || stop != end || number < least || number > most) {
    throw std::runtime_error(std::string("accel: ") + name + "=" + value +
                             " in the environment is not a number from " + std::to_string(least) +
                             " to " + std::to_string(most) + "." + launch_hint);
  }
  return number;
}

int required_int(const char* name, int least, int most) {
  const char* value = variable(name);
  if (value == nullptr) {
    throw std::runtime_error(std::string("accel: WORLD_SIZE=") + variable("WORLD_SIZE") +
                             " is in the environment, but " + name + " is not." + launch_hint);
  }
  return read_int(name, value, least, most);
}

int optional_int(const char* name, int least, int most, int otherwise) {
  const char* value = variable(name);
  return value == nullptr ? otherwise : read_int(name, value, least, most);
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
  throw std::runtime_error(std::string("accel: ") + name + "=" + value +
                           " in the environment is neither true nor false. Set it to true or "
                           "false, or unset it.");
}

bool read_bool(const char* name) {
  return read_optional_bool(name).value_or(false);
}

} // namespace

Environment read_environment() {
  constexpr int most = 1 << 20;
  Environment environment;
  environment.use_cpu = read_bool("ACCELERATE_USE_CPU");
  environment.split_batches = read_bool("ACCEL_SPLIT_BATCHES");
  environment.even_batches = read_optional_bool("ACCEL_EVEN_BATCHES");
  environment.dispatch_batches = read_optional_bool("ACCEL_DISPATCH_BATCHES");
  environment.non_blocking = read_bool("ACCEL_NON_BLOCKING");
  environment.size = optional_int("WORLD_SIZE", 1, most, 1);
  if (environment.size == 1) {
    return environment;
  }
  environment.rank = required_int("RANK", 0, environment.size - 1);
  environment.local_rank = optional_int("LOCAL_RANK", 0, most, environment.rank);
  environment.local_size = optional_int("LOCAL_WORLD_SIZE", environment.local_rank + 1, most,
                                        std::max(environment.local_rank + 1, environment.size));
  const char* address = variable("MASTER_ADDR");
  environment.master_address = address != nullptr ? address : "127.0.0.1";
  environment.master_port = required_int("MASTER_PORT", 1, 65535);
  environment.agent_store = read_bool("TORCHELASTIC_USE_AGENT_STORE");
  environment.restart_count = optional_int("TORCHELASTIC_RESTART_COUNT", 0, most, 0);
  return environment;
}

} // namespace accel::detail
