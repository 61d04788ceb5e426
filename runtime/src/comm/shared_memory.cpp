#include "comm/shared_memory.h"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

namespace accel::detail {
namespace {

[[noreturn]] void fail(const std::string& what, int error) {
  throw std::runtime_error(what + ": " + std::strerror(error));
}

std::string size_text(size_t bytes) {
  constexpr size_t mib = 1 << 20;
  return std::to_string((bytes + mib - 1) / mib) + " MiB of shared memory";
}

std::string name_of(const SharedMemory::Address& address) {
  char name[64];
  std::snprintf(name, sizeof(name), "accel-%016llx%016llx",
                static_cast<unsigned long long>(address.token[0]),
                static_cast<unsigned long long>(address.token[1]));
  return name;
}

std::string link_text(const std::string& path) {
  char text[128];
  const ssize_t length = readlink(path.c_str(), text, sizeof(text));
  return {text, length < 0 ? 0 : static_cast<size_t>(length)};
}

// This process's number as other processes find it in /proc, which may be of an outer namespace.
int64_t number_in_proc() {
  const std::string text = link_text("/proc/self");
  int64_t number = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc()) {
    throw std::runtime_error("/proc, through which processes find each other's memory, is missing");
  }
  return number;
}

int create_descriptor(const std::string& name) {
  constexpr unsigned noexec_seal = 8; // MFD_NOEXEC_SEAL, of Linux 6.3: some systems insist on it
  const unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  int descriptor = memfd_create(name.c_str(), flags | noexec_seal);
  if (descriptor < 0 && errno == EINVAL) {
    descriptor = memfd_create(name.c_str(), flags);
  }
  return descriptor;
}

struct flock lock_of(int number) {
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = number;
  lock.l_len = 1;
  return lock;
}

} // namespace

SharedMemory::SharedMemory(int descriptor, const Address& address)
    : descriptor_(descriptor), address_(address) {}

SharedMemory::~SharedMemory() {
  if (data_ != nullptr) {
    munmap(data_, mapped_);
  }
  close(descriptor_);
}

std::shared_ptr<SharedMemory> SharedMemory::create(size_t bytes) {
  Address address;
  address.process = number_in_proc();
  if (getrandom(address.token.data(), sizeof(address.token), 0) !=
      static_cast<ssize_t>(sizeof(address.token))) {
    fail("no random numbers", errno);
  }
  // Asked first: to pass the limit is a signal, not an error.
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
      limit.rlim_cur < bytes) {
    throw std::runtime_error("the limit on the size of files (ulimit -f) is below " +
                             size_text(bytes));
  }
  const int descriptor = create_descriptor(name_of(address));
  if (descriptor < 0) {
    fail("can't create " + size_text(bytes) + " (memfd_create)", errno);
  }
  address.descriptor = descriptor;
  std::shared_ptr<SharedMemory> memory(new SharedMemory(descriptor, address));
  // Sealed, so that no process can cut off what others have mapped.
  if (ftruncate(descriptor, static_cast<off_t>(bytes)) != 0 ||
      fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    fail("can't create " + size_text(bytes), errno);
  }
  return memory;
}

std::shared_ptr<SharedMemory> SharedMemory::open(const Address& address) {
  const std::string path =
      "/proc/" + std::to_string(address.process) + "/fd/" + std::to_string(address.descriptor);
  // Looked at before it is opened: on another machine the path may name anything.
  if (link_text(path) != "/memfd:" + name_of(address) + " (deleted)") {
    return nullptr;
  }
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) {
    return nullptr;
  }
  return std::shared_ptr<SharedMemory>(new SharedMemory(descriptor, address));
}

void SharedMemory::reserve(size_t offset, size_t bytes) {
  int error = EINTR;
  while (error == EINTR) {
    error = posix_fallocate(descriptor_, static_cast<off_t>(offset), static_cast<off_t>(bytes));
  }
  if (error != 0) {
    fail("can't allocate " + size_text(bytes), error);
  }
}

void SharedMemory::map(size_t bytes) {
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (data == MAP_FAILED) {
    fail("can't map " + size_text(bytes), errno);
  }
  data_ = static_cast<std::byte*>(data);
  mapped_ = bytes;
}

void SharedMemory::populate(size_t offset, size_t bytes) {
  constexpr int populate_write =
      23; // MADV_POPULATE_WRITE, of Linux 5.14; before, pages come at use
  static_cast<void>(madvise(data_ + offset, bytes, populate_write));
}

void SharedMemory::mark_alive(int number) {
  struct flock lock = lock_of(number);
  if (fcntl(descriptor_, F_OFD_SETLK, &lock) != 0) {
    fail("can't lock shared memory", errno);
  }
}

bool SharedMemory::is_alive(int number) const {
  struct flock lock = lock_of(number);
  // Where the kernel doesn't answer, the process counts as alive; the timeout bounds the wait.
  return fcntl(descriptor_, F_OFD_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
}

} // namespace accel::detail
