#include "state/malloc.h"

#ifdef __GLIBC__
#include <malloc.h>

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <unistd.h>
#endif

namespace accel::detail {

#ifdef __GLIBC__

namespace {

bool chosen_by_user() {
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    if (std::strncmp(*entry, "MALLOC_", 7) == 0) {
      return true;
    }
  }
  const char* tunables = std::getenv("GLIBC_TUNABLES");
  if (tunables != nullptr && std::strstr(tunables, "glibc.malloc") != nullptr) {
    return true;
  }
  const char* choice = std::getenv("ACCEL_MALLOC");
  return choice != nullptr && std::strcmp(choice, "default") == 0;
}

bool is_glibc_malloc() {
  Dl_info info;
  void* symbol = dlsym(RTLD_DEFAULT, "malloc");
  return symbol != nullptr && dladdr(symbol, &info) != 0 && info.dli_fname != nullptr &&
         std::strstr(info.dli_fname, "libc.so") != nullptr;
}

} // namespace

void keep_activations_mapped() {
  if (!chosen_by_user() && is_glibc_malloc()) {
    constexpr int wanted = 1 << 30;
    constexpr int most_of_older_glibc = 32 << 20;
    if (mallopt(M_MMAP_THRESHOLD, wanted) == 0) {
      mallopt(M_MMAP_THRESHOLD, most_of_older_glibc);
    }
    mallopt(M_TRIM_THRESHOLD, wanted);
  }
}

#else

void keep_activations_mapped() {}

#endif

} // namespace accel::detail
