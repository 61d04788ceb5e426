#include "comm/futex.h"

#include <climits>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace accel::detail {
namespace {

void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

} // namespace

void sleep_while(const Word& word, uint32_t seen, std::chrono::milliseconds most) {
  timespec limit{};
  limit.tv_sec = static_cast<time_t>(most.count() / 1000);
  limit.tv_nsec = static_cast<long>(most.count() % 1000 * 1000000);
  // Not FUTEX_PRIVATE: the word lies in several processes. Every way to return is one to look
  // again.
  static_cast<void>(syscall(SYS_futex, &word, FUTEX_WAIT, seen, &limit, nullptr, 0));
}

void wake_all(const Word& word) {
  static_cast<void>(syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0));
}

bool spin_while(const Word& word, uint32_t seen, int times) {
  for (int i = 0; i < times; ++i) {
    if (word.load(std::memory_order_acquire) != seen) {
      return true;
    }
    relax();
  }
  return false;
}

} // namespace accel::detail
