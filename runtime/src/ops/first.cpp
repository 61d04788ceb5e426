#include <accel/first.h>

#include "state/state.h"

#include <exception>
#include <utility>

namespace accel {

FirstScope::FirstScope(std::shared_ptr<detail::State> state, bool first, bool on_each_machine)
    : state_(std::move(state)), first_(first), on_each_machine_(on_each_machine),
      exceptions_(std::uncaught_exceptions()) {
  if (!first_) {
    meet(false);
  }
}

FirstScope::~FirstScope() noexcept(false) {
  if (!first_) {
    return;
  }
  const bool failed = std::uncaught_exceptions() > exceptions_;
  try {
    meet(failed);
  } catch (const std::exception&) {
    if (!failed) {
      throw;
    }
    // The exception under way says more.
  }
}

void FirstScope::meet(bool failed) {
  if (state_->size() == 1) {
    return;
  }
  using detail::Record;
  Record record;
  record.action = on_each_machine_ ? Record::Action::LocalMainFirst : Record::Action::MainFirst;
  record.value = failed ? 1 : 0;
  const auto records = state_->exchange(record);
  for (size_t rank = 0; rank < records.size(); ++rank) {
    TORCH_CHECK(records[rank].value == 0, "accel: process ", rank,
                ", which the others wait for in ", record.text(),
                ", failed there; its own error says why");
  }
}

} // namespace accel
