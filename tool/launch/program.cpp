#include "program.h"

#include "error.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <unistd.h>

namespace accel::launch {
namespace {

namespace fs = std::filesystem;

bool is_executable_file(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(path, none) && access(path.c_str(), X_OK) == 0;
}

std::string check_path(const std::string& path) {
  std::error_code none;
  if (!fs::exists(path, none))
    throw Error(NotFound, "program not found: " + path);
  if (fs::is_directory(path, none))
    throw Error(NotExecutable, path + " is a folder, not a program");
  if (!is_executable_file(path))
    throw Error(NotExecutable, path + " is not executable");
  return path;
}

} // namespace

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos)
    return check_path(name);
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/local/bin:/bin:/usr/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
    if (is_executable_file(candidate))
      return candidate.string();
  }
  std::error_code none;
  std::string hint = fs::exists(name, none) ? "; did you mean ./" + name + "?" : "";
  throw Error(NotFound, "program not found in PATH: " + name + hint);
}

} // namespace accel::launch
