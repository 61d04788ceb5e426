// A piece of memory that processes of one machine share. It has no name in any file system (Linux's
// memfd), so nothing is left of it however its processes end, and the size of /dev/shm, 64 MB in a
// container, doesn't bound it. Another process opens it through /proc/PID/fd.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace accel::detail {

class SharedMemory {
public:
  /// How another process finds the memory; sent to it as it is.
  struct Address {
    int64_t process = 0;
    int64_t descriptor = -1;
    /// From the kernel's random numbers; part of the memory's name, by which the opener knows it.
    std::array<uint64_t, 2> token{};
  };

  /// Makes `bytes` of zeroes, which take no room before they are reserved or written. Throws
  /// std::runtime_error that says what failed, as all of these do.
  static std::shared_ptr<SharedMemory> create(size_t bytes);
  /// Opens another process's, or this one's own anew. Null where it isn't to be found: it is on
  /// another machine, in another container, or another user's.
  static std::shared_ptr<SharedMemory> open(const Address& address);

  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory();

  const Address& address() const { return address_; }

  /// Allocates the memory's part [offset, offset + bytes), near to the calling process. What isn't
  /// reserved is allocated at the first touch, which ends the process where there is no room.
  void reserve(size_t offset, size_t bytes);
  /// Maps the first `bytes`; once.
  void map(size_t bytes);
  /// Enters a part of the mapping in the page table, so that its first use finds no page missing.
  void populate(size_t offset, size_t bytes);
  std::byte* data() const { return data_; }

  /// Says, until this object or the process ends, that process `number` lives.
  void mark_alive(int number);
  /// Whether process `number` has marked itself and has not ended; not for one's own number.
  bool is_alive(int number) const;

private:
  SharedMemory(int descriptor, const Address& address);

  // A description of the file of this process's own: a lock belongs to the description, and goes
  // with it at the latest when the process ends, in whatever namespace it ran.
  int descriptor_;
  Address address_;
  std::byte* data_ = nullptr;
  size_t mapped_ = 0;
};

} // namespace accel::detail
