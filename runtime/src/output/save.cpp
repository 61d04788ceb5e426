#include "output/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

namespace accel::detail {
namespace {

std::runtime_error failure(const std::string& what, const std::string& file) {
  return std::runtime_error("accel: save() could not " + what + " " + file + ": " +
                            std::strerror(errno));
}

void flush_to_disk(const std::string& file, int flags) {
  const int descriptor = open(file.c_str(), flags | O_CLOEXEC);
  if (descriptor < 0) {
    throw failure("open", file);
  }
  const int result = fsync(descriptor);
  close(descriptor);
  // Some file systems can't flush a folder.
  if (result != 0 && errno != EINVAL && errno != ENOTSUP) {
    throw failure("flush", file);
  }
}

void write_and_rename(const std::string& path,
                      const std::function<void(const std::string&)>& write) {
  namespace fs = std::filesystem;
  // A link stays one: the file that it names is replaced.
  fs::path target = path;
  std::error_code ignored;
  if (fs::is_symlink(target, ignored)) {
    target = fs::weakly_canonical(target);
  }
  // In a folder of its own, under its own name: torch::save writes the file's name into the file.
  const fs::path beside = target.string() + ".tmp" + std::to_string(getpid());
  const std::string temporary = (beside / target.filename()).string();
  try {
    fs::create_directory(beside);
    write(temporary);
    struct stat old{};
    if (stat(target.c_str(), &old) == 0) {
      chmod(temporary.c_str(), old.st_mode & 07777);
    }
    flush_to_disk(temporary, O_RDONLY);
    if (std::rename(temporary.c_str(), target.c_str()) != 0) {
      throw failure("rename " + temporary + " to", target.string());
    }
    const auto folder = target.has_parent_path() ? target.parent_path().string() : ".";
    flush_to_disk(folder, O_RDONLY | O_DIRECTORY);
  } catch (...) {
    fs::remove_all(beside, ignored);
    throw;
  }
  fs::remove_all(beside, ignored);
}

} // namespace

void save_atomically(State& state, const std::string& path,
                     const std::function<void(const std::string&)>& write) {
  if (state.size() == 1) {
    write_and_rename(path, write);
    return;
  }
  Record record;
  record.action = Record::Action::Save;
  if (state.rank() == 0) {
    try {
      write_and_rename(path, write);
    } catch (const std::exception& error) {
      record.set_exception(error);
    }
  }
  const Record main = state.exchange(record).front();
  if (main.problem != Record::Problem::None) {
    throw std::runtime_error(main.payload_text());
  }
}

} // namespace accel::detail
