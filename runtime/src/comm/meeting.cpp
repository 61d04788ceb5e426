#include "comm/meeting.h"

#include "state/launcher_process.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace accel::detail {
namespace {

const char* const remedy =
    " Set MASTER_ADDR=127.0.0.1 and MASTER_PORT to a free port for all processes to do without "
    "this file.";

std::string temporary_folder() {
  const char* folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

// Whether the folder is there and nobody else can write to it.
bool is_private(const std::string& folder) {
  struct stat found{};
  return lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) &&
         found.st_uid == geteuid() && (found.st_mode & 077) == 0;
}

} // namespace

Meeting::Meeting(const std::string& launcher, int attempt)
    : folder_(temporary_folder() + "/accel-" + std::to_string(geteuid()) + "-" + launcher),
      file_(folder_ + "/port-" + std::to_string(attempt)) {}

Meeting::~Meeting() {
  if (announced_) {
    std::remove(file_.c_str());
    rmdir(folder_.c_str());
  }
}

void Meeting::announce(int port) {
  if (mkdir(folder_.c_str(), 0700) != 0 && errno != EEXIST) {
    throw std::runtime_error("accel: process 0 could not make the folder " + folder_ + ": " +
                             std::strerror(errno) + "." + remedy);
  }
  if (!is_private(folder_)) {
    throw std::runtime_error("accel: " + folder_ +
                             " is not a folder of this user's alone. Remove it." + remedy);
  }
  announced_ = true;
  const std::string beside = file_ + "." + std::to_string(getpid());
  std::ofstream out(beside);
  out << port << ' ' << identity(getpid()) << '\n';
  out.close();
  if (!out || std::rename(beside.c_str(), file_.c_str()) != 0) {
    std::remove(beside.c_str());
    throw std::runtime_error("accel: process 0 could not write " + file_ + ": " +
                             std::strerror(errno) + "." + remedy);
  }
}

int Meeting::wait(std::chrono::milliseconds limit) const {
  using Clock = std::chrono::steady_clock;
  constexpr auto longest_pause = std::chrono::milliseconds(50);
  const auto end = Clock::now() + limit;
  auto pause = std::chrono::milliseconds(1);
  do {
    int port = 0;
    std::string writer;
    if (is_private(folder_) && std::ifstream(file_) >> port >> writer &&
        identity(std::atol(writer.c_str())) == writer) {
      return port;
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, longest_pause);
  } while (Clock::now() < end);
  throw std::runtime_error("accel: process 0 did not write its port to " + file_ + " within " +
                           std::to_string(limit.count()) +
                           " ms. Check that it was started by the same launcher, on this machine." +
                           remedy);
}

} // namespace accel::detail
