// The members of Collectives that aren't templates.
#include <accel/collectives.h>

#include "ops/collectives.h"

#include <algorithm>
#include <utility>

namespace accel {

torch::Tensor Collectives::mean(const torch::Tensor& loss) const {
  return detail::mean(*state_, loss);
}

torch::Tensor Collectives::share(const torch::Tensor& loss) const {
  return detail::share(*state_, loss);
}

bool Collectives::repeats_rows() const {
  return state_->current_share().counted_rows == 0;
}

void Collectives::set_trigger() const {
  state_->trigger = true;
}

bool Collectives::check_trigger() const {
  const bool mine = std::exchange(state_->trigger, false);
  if (state_->size() == 1) {
    return mine;
  }
  detail::Record record;
  record.action = detail::Record::Action::Trigger;
  record.value = mine ? 1 : 0;
  const auto records = state_->exchange(record);
  return std::any_of(records.begin(), records.end(),
                     [](const detail::Record& other) { return other.value != 0; });
}

size_t detail::counted_of(const State& state, size_t elements) {
  if (!state.in_loop()) {
    return elements;
  }
  const Share share = state.current_share();
  TORCH_CHECK(elements == static_cast<size_t>(share.local_rows), "a list of ", elements,
              " elements, but the batch has ", share.local_rows, " rows");
  return static_cast<size_t>(share.counted_rows);
}

} // namespace accel
