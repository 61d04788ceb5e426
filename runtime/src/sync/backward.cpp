#include "sync/backward.h"

#include "ops/collectives.h"
#include "sync/model.h"
#include "sync/preparation.h"
#include "sync/synchroniser.h"

#include <vector>

namespace accel::detail {
namespace {

using Synchronisers = std::vector<std::shared_ptr<Synchroniser>>;
using Preparations = std::vector<std::shared_ptr<Preparation>>;

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

// What the loss is multiplied by, and what the gradients that are there are, for sums over the
// processes and the window.
Window::Weights weights_of(State& state, const Loss& loss, bool exchanges) {
  const Share share = state.current_share();
  const double whole = share.repeated ? 0.0 : 1.0;
  Window& window = state.window();
  Window::Weights weights;
  if (loss.divisor == Divisor::Rows) {
    weights = window.weigh_rows(state.passes().rows().value_or(share.all_rows));
    weights.loss *= state.size() == 1 ? 1.0 : share.fraction();
    return weights;
  }
  if (loss.divisor == Divisor::Nothing) {
    weights = window.weigh_sum();
  } else if (window.inside() && state.accumulates()) {
    static_cast<void>(window.local_count(loss.count * whole));
  } else {
    TORCH_CHECK(exchanges,
                "accel: backward(loss, count) was called in a no_sync() scope, where the "
                "counts of the other processes aren't known; use accumulate()");
    auto local = torch::tensor(window.local_count(loss.count * whole), torch::kDouble);
    state.last_count = reduce(state, local, Sum).item<double>();
    TORCH_CHECK(state.last_count > 0, "accel: the counts given to backward(loss, count) add up to ",
                state.last_count, " over all processes; there is nothing to average over");
    weights = window.weigh_total_count(state.last_count);
  }
  weights.loss *= whole;
  return weights;
}

// The gradient to begin with; none where it would be one.
torch::Tensor seed(const Loss& loss, double factor) {
  if (loss.gradient.defined() || factor == 1.0) {
    return factor == 1.0 ? loss.gradient : loss.gradient * factor;
  }
  TORCH_CHECK(loss.value.numel() == 1,
              "accel: backward() takes a loss of one element, not one of shape ",
              loss.value.sizes(), "; take its mean or sum first");
  return torch::full_like(loss.value, factor, torch::TensorOptions().requires_grad(false));
}

void run_and_exchange(State& state, const Loss& loss, double factor) {
  Synchronisers synchronisers = with_parameters(state);
  for (const auto& synchroniser : synchronisers) {
    // Several communicators of one GPU must be used in one order on all processes.
    if (synchroniser->on_cpu() || synchronisers.size() == 1) {
      synchroniser->launch_when_full();
    }
  }
  try {
    const InBackward scope(state);
    loss.value.backward(seed(loss, factor), loss.keep_graph, loss.create_graph);
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

void run_alone(State& state, const Loss& loss, double factor) {
  for (const auto& synchroniser : with_parameters(state)) {
    synchroniser->keep_local();
  }
  const InBackward scope(state);
  loss.value.backward(seed(loss, factor), loss.keep_graph, loss.create_graph);
}

} // namespace

void backward(State& state, const Loss& loss) {
  TORCH_CHECK(
      !state.current_share().evaluation || state.size() == 1,
      "accel: backward() was called inside the loop over an evaluation loader, or in a last "
      "round where even_batches(false) leaves some process without a batch");
  const bool in_window = state.window().inside();
  const bool accumulates = in_window && state.accumulates();
  const bool held_back = state.held_back > 0 && !state.sync_next;
  const bool exchanges = !accumulates && !held_back;
  state.last_reduction = loss.divisor == Divisor::Rows ? Mean : Sum;
  state.last_count = 1;
  const auto preparations = in_window ? state.preparations() : Preparations{};
  for (const auto& preparation : preparations) {
    preparation->check_kept();
  }
  const Window::Weights weights = weights_of(state, loss, exchanges);
  if (in_window && weights.before != 1.0) {
    scale_gradients(state, weights.before);
  }
  for (const auto& preparation : preparations) {
    preparation->begin_backward();
  }
  if (state.size() > 1 && exchanges) {
    state.sync_next = false;
    run_and_exchange(state, loss, weights.loss);
  } else {
    run_alone(state, loss, weights.loss);
  }
  for (const auto& preparation : preparations) {
    preparation->end_backward(/*more=*/accumulates);
  }
}

} // namespace accel::detail
