#include "sync/backward.h"

#include "sync/model.h"
#include "sync/synchroniser.h"

#include <vector>

namespace accel::detail {
namespace {

using Synchronisers = std::vector<std::shared_ptr<Synchroniser>>;

Synchronisers with_parameters(State& state) {
  Synchronisers chosen;
  for (auto& synchroniser : state.synchronisers()) {
    synchroniser->begin();
    if (synchroniser->has_parameters()) {
      chosen.push_back(std::move(synchroniser));
    }
  }
  return chosen;
}

// With one optimizer, it is reduced whatever this process's backward reached. With several, each
// reduces what some process's backward reached, which they have to tell each other.
Synchronisers touched_anywhere(State& state, const Synchronisers& synchronisers) {
  if (synchronisers.size() < 2) {
    return synchronisers;
  }
  TORCH_CHECK(synchronisers.size() <= Record::payload_bytes, "accel: more than ",
              static_cast<int>(Record::payload_bytes), " prepared optimizers");
  std::vector<unsigned char> touched;
  for (const auto& synchroniser : synchronisers) {
    touched.push_back(synchroniser->touched() ? 1 : 0);
  }
  Record record;
  record.action = Record::Action::Backward;
  record.set_payload(touched.data(), touched.size());
  Synchronisers chosen;
  const auto records = state.exchange(record);
  for (size_t i = 0; i < synchronisers.size(); ++i) {
    for (const Record& other : records) {
      TORCH_CHECK(other.used == record.used,
                  "accel: the processes have different numbers of prepared optimizers");
      if (other.payload[i] != 0) {
        chosen.push_back(synchronisers[i]);
        break;
      }
    }
  }
  return chosen;
}

class InBackward {
public:
  explicit InBackward(State& state) : state_(state) { state_.in_backward = true; }
  InBackward(const InBackward&) = delete;
  InBackward& operator=(const InBackward&) = delete;
  ~InBackward() { state_.in_backward = false; }

private:
  State& state_;
};

torch::Tensor seed(const State& state, const torch::Tensor& loss, const torch::Tensor& gradient,
                   Reduction reduction) {
  const Share share = state.current_share();
  const double whole = share.repeated ? 0.0 : 1.0;
  const double factor = reduction == Sum ? whole : share.fraction();
  if (gradient.defined()) {
    return gradient * factor;
  }
  TORCH_CHECK(loss.numel() == 1, "accel: backward() takes a loss of one element, not one of shape ",
              loss.sizes(), "; take its mean or sum first");
  return torch::full_like(loss, factor, torch::TensorOptions().requires_grad(false));
}

} // namespace

void backward(State& state, const torch::Tensor& loss, const torch::Tensor& gradient,
              torch::optional<bool> keep_graph, bool create_graph, Reduction reduction) {
  TORCH_CHECK(reduction != Max, "accel: backward() takes accel::Mean or accel::Sum");
  if (state.size() == 1) {
    loss.backward(gradient, keep_graph, create_graph);
    return;
  }
  TORCH_CHECK(
      !state.current_share().evaluation,
      "accel: backward() was called inside the loop over an evaluation loader, or in a last "
      "round where even_batches(false) leaves some process without a batch");
  state.last_reduction = reduction;
  Synchronisers synchronisers = with_parameters(state);
  for (const auto& synchroniser : synchronisers) {
    // Several communicators of one GPU must be used in one order on all processes.
    if (synchroniser->on_cpu() || synchronisers.size() == 1) {
      synchroniser->launch_when_full();
    }
  }
  try {
    const InBackward scope(state);
    loss.backward(seed(state, loss, gradient, reduction), keep_graph, create_graph);
  } catch (...) {
    for (const auto& synchroniser : synchronisers) {
      synchroniser->abandon();
    }
    throw;
  }
  synchronisers = touched_anywhere(state, synchronisers);
  for (const auto& synchroniser : synchronisers) {
    synchroniser->launch_all();
  }
  BufferBroadcast buffers(state);
  for (const auto& synchroniser : synchronisers) {
    synchroniser->finish();
  }
  buffers.finish();
}

} // namespace accel::detail
