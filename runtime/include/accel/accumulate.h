// Scopes in which gradients are accumulated before they are exchanged.
#pragma once

#include <memory>

namespace accel {
namespace detail {
class State;
} // namespace detail

/// One micro-batch of an accumulation window, from its construction by Accelerator::accumulate to
/// the end of the scope. Not thread-safe; for the thread that runs the training loop.
class [[nodiscard]] MicroBatch {
public:
  explicit MicroBatch(std::shared_ptr<detail::State> state);
  MicroBatch(const MicroBatch&) = delete;
  MicroBatch& operator=(const MicroBatch&) = delete;
  ~MicroBatch();

private:
  std::shared_ptr<detail::State> state_;
};

/// A scope in which backward() leaves the gradients on this process; made by Accelerator::no_sync.
class [[nodiscard]] NoSync {
public:
  explicit NoSync(std::shared_ptr<detail::State> state);
  NoSync(const NoSync&) = delete;
  NoSync& operator=(const NoSync&) = delete;
  ~NoSync();

private:
  std::shared_ptr<detail::State> state_;
};

} // namespace accel
