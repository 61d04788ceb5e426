#include "environment.h"

#include <algorithm>
#include <cctype>

namespace accel::launch {

Variables rank_variables(const Place& place, const std::string& master_address, int master_port) {
  std::string rank = std::to_string(place.rank());
  std::string processes = std::to_string(place.processes());
  std::string port = std::to_string(master_port);
  return {
      {"RANK", rank},
      {"LOCAL_RANK", std::to_string(place.local_rank)},
      {"WORLD_SIZE", processes},
      {"LOCAL_WORLD_SIZE", std::to_string(place.local_processes)},
      {"GROUP_RANK", std::to_string(place.machine)},
      {"GROUP_WORLD_SIZE", std::to_string(place.machines)},
      {"ROLE_NAME", "default"},
      {"ROLE_RANK", rank},
      {"ROLE_WORLD_SIZE", processes},
      {"MASTER_ADDR", master_address},
      {"MASTER_PORT", port},
      {"TORCHELASTIC_RUN_ID", "accel-" + port},
      {"TORCHELASTIC_RESTART_COUNT", "0"},
      {"TORCHELASTIC_MAX_RESTARTS", "0"},
      // Rank 0 serves the store itself; no agent does.
      {"TORCHELASTIC_USE_AGENT_STORE", "False"},
  };
}

std::vector<std::string> with_variables(const char* const* environment,
                                        const Variables& variables) {
  std::vector<std::string> merged;
  for (; *environment != nullptr; ++environment) {
    std::string entry = *environment;
    std::string name = entry.substr(0, entry.find('='));
    bool replaced = std::any_of(variables.begin(), variables.end(),
                                [&](const auto& variable) { return variable.first == name; });
    if (!replaced)
      merged.push_back(std::move(entry));
  }
  for (const auto& [name, value] : variables)
    merged.emplace_back(name).append("=").append(value);
  return merged;
}

bool is_true(const char* value) {
  std::string text = value == nullptr ? "" : value;
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text == "1" || text == "true" || text == "yes" || text == "on" || text == "y" ||
         text == "t";
}

} // namespace accel::launch
