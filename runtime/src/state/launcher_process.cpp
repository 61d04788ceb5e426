#include "state/launcher_process.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <unistd.h>

namespace accel::detail {
namespace {

std::string contents(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Status {
  long parent = 0;
  std::string start_time;
};

Status status_of(long pid) {
  const std::string text = contents("/proc/" + std::to_string(pid) + "/stat");
  Status status;
  // The second field is the program's name in parentheses, with whatever is in it.
  const size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) {
    return status;
  }
  std::istringstream fields(text.substr(name_end + 1));
  std::string field;
  constexpr int parent_field = 4;
  constexpr int start_time_field = 22;
  for (int number = 3; number <= start_time_field && fields >> field; ++number) {
    if (number == parent_field) {
      status.parent = std::strtol(field.c_str(), nullptr, 10);
    }
  }
  status.start_time = field;
  return status;
}

// Whether a process was started with this one's values of the variables. One that doesn't show its
// environment belongs to another user: a launcher.
bool has_the_same(long pid, const std::vector<std::string>& variables) {
  const std::string theirs = '\0' + contents("/proc/" + std::to_string(pid) + "/environ") + '\0';
  for (const std::string& name : variables) {
    const char* mine = std::getenv(name.c_str());
    const std::string entry = '\0' + name + '=' + (mine != nullptr ? mine : "") + '\0';
    if (mine != nullptr && theirs.find(entry) == std::string::npos) {
      return false;
    }
  }
  return true;
}

} // namespace

std::string identity(long pid) {
  const std::string start_time = status_of(pid).start_time;
  return start_time.empty() ? "" : std::to_string(pid) + "-" + start_time;
}

std::string launcher_identity(const std::vector<std::string>& variables) {
  long pid = getppid();
  while (pid > 1 && has_the_same(pid, variables)) {
    pid = status_of(pid).parent;
  }
  return identity(pid);
}

} // namespace accel::detail
