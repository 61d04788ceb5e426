#include "machine.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <sstream>
#include <string>

namespace accel::launch {
namespace {

namespace fs = std::filesystem;

/// The minor number in a driver's `information` file; -1 where it has none.
int device_minor(const fs::path& information) {
  std::ifstream file(information);
  const std::string key = "Device Minor:";
  for (std::string line; std::getline(file, line);)
    if (line.rfind(key, 0) == 0)
      return std::atoi(line.c_str() + key.size());
  return -1;
}

/// A container may list every GPU of the host and have the nodes of a few.
int installed_gpus(const fs::path& root) {
  std::error_code none;
  int count = 0;
  for (const auto& gpu : fs::directory_iterator(root / "proc/driver/nvidia/gpus", none)) {
    int minor = device_minor(gpu.path() / "information");
    if (minor < 0 || fs::exists(root / "dev" / ("nvidia" + std::to_string(minor)), none))
      ++count;
  }
  return count;
}

bool names_a_gpu(const std::string& entry, int installed) {
  if (entry.rfind("GPU-", 0) == 0 || entry.rfind("MIG-", 0) == 0)
    return true;
  bool number = !entry.empty() && entry.find_first_not_of("0123456789") == std::string::npos;
  return number && std::atoi(entry.c_str()) < installed;
}

} // namespace

int visible_gpus(const char* cuda_visible_devices, const std::string& root) {
  int installed = installed_gpus(root);
  if (installed == 0 || cuda_visible_devices == nullptr)
    return installed;
  // As CUDA reads it: the first entry that names no GPU ends the list.
  std::istringstream list(cuda_visible_devices);
  int visible = 0;
  for (std::string entry; std::getline(list, entry, ',');) {
    entry.erase(std::remove(entry.begin(), entry.end(), ' '), entry.end());
    if (!names_a_gpu(entry, installed))
      break;
    ++visible;
  }
  return visible;
}

int usable_cores() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof(cores), &cores) == 0)
    return CPU_COUNT(&cores);
  return 1;
}

} // namespace accel::launch
