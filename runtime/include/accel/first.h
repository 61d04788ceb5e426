// Letting one process go before the others.
#pragma once

#include <memory>

namespace accel {
namespace detail {
class State;
} // namespace detail

/// While it lives on the process that goes first, the others wait in its constructor: what
/// main_process_first() returns. Where the first process leaves by an exception, the others throw
/// c10::Error instead of waiting for ever.
class [[nodiscard]] FirstScope {
public:
  FirstScope(const FirstScope&) = delete;
  FirstScope& operator=(const FirstScope&) = delete;
  /// Throws c10::Error where the others can't be told, unless an exception is under way.
  ~FirstScope() noexcept(false);

private:
  friend class Collectives;
  FirstScope(std::shared_ptr<detail::State> state, bool first, bool on_each_machine);
  void meet(bool failed);

  std::shared_ptr<detail::State> state_;
  bool first_;
  bool on_each_machine_;
  int exceptions_;
};

} // namespace accel
