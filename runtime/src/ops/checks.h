// What every collective on tensors does before it runs.
#pragma once

#include "state/state.h"

#include <torch/types.h>

#include <vector>

namespace accel::detail {

/// A detached, contiguous copy; nothing where the record has a problem, which the exchange tells.
torch::Tensor own_copy(const torch::Tensor& tensor, const Record& record);

/// The checks of the exchange, on one process.
void check_alone(const Record& record);

/// Calls `f(record, tensor)`, a collective, for each tensor of a value and returns the results. The
/// record describes the tensor and its place in the value.
template <class F>
std::vector<torch::Tensor> for_each(State& state, Record::Action action,
                                    const std::vector<torch::Tensor>& tensors, uint64_t structure,
                                    F&& f) {
  torch::NoGradGuard no_grad;
  Record record;
  record.action = action;
  record.structure = structure;
  record.parts = static_cast<int32_t>(tensors.size());
  if (tensors.empty() && state.size() > 1) {
    check_same_call(state.exchange(record));
  }
  std::vector<torch::Tensor> results;
  for (const auto& tensor : tensors) {
    Record mine = record;
    mine.describe(tensor);
    results.push_back(f(mine, tensor));
    ++record.part;
  }
  return results;
}

} // namespace accel::detail
