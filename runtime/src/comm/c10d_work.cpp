#include "comm/c10d_work.h"

#include <utility>

namespace accel::detail {

Pending::Pending() = default;
Pending::Pending(std::unique_ptr<Work> work) : work_(std::move(work)) {}
Pending::Pending(Pending&&) noexcept = default;
Pending& Pending::operator=(Pending&&) noexcept = default;
Pending::~Pending() = default;

void Pending::wait(const std::string& what, std::chrono::milliseconds limit) {
  if (const auto work = std::move(work_)) {
    work->wait(what, limit);
  }
}

void C10dWork::wait(const std::string& what, std::chrono::milliseconds limit) {
  try {
    if (!watched || limit != std::chrono::milliseconds::zero()) {
      work->wait(limit);
    } else {
      wait_and_watch();
    }
  } catch (const DifferentPlaces&) {
    throw;
  } catch (const std::exception& error) {
    refuse(what, error);
  }
  finish();
}

bool C10dWork::wait_for(std::chrono::milliseconds most) {
  try {
    if (!work->isCompleted() && (most.count() == 0 || !wait_quietly(most))) {
      return false;
    }
    work->wait();
  } catch (const std::exception& error) {
    refuse("the sum of gradients over several machines", error);
  }
  finish();
  return true;
}

// In slices, so that a wait that can't end is found out (see Watch).
void C10dWork::wait_and_watch() {
  while (!wait_quietly(Watch::interval)) {
    watched->watch->look();
  }
  work->wait();
}

// Whether it ended. A slice that ends too early throws like a collective that failed, but isn't
// completed; one that failed throws again at the next wait.
bool C10dWork::wait_quietly(std::chrono::milliseconds most) {
  try {
    return work->wait(most) || work->isCompleted();
  } catch (const std::exception&) {
    return work->isCompleted();
  }
}

void C10dWork::finish() {
  if (copy.defined()) {
    torch::NoGradGuard no_grad;
    target.copy_(copy);
  }
}

void C10dWork::refuse(const std::string& what, const std::exception& error) const {
  TORCH_CHECK(
      false, "accel: ", what,
      " failed: another process is gone, is stuck, or took another way through the program.",
      watched ? watched->watch->whereabouts() : "", "\n", error.what());
}

} // namespace accel::detail
