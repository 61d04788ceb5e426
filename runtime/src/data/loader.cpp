#include "state/state.h"

#include <accel/loaders.h>

#include <torch/cuda.h>

#include <algorithm>
#include <utility>

namespace accel::detail {

LoaderContext loader_context(const State& state) {
  LoaderContext context;
  context.rank = state.rank();
  context.size = state.size();
  context.split_batches = state.split_batches();
  if (state.even_batches()) {
    context.even_batches = *state.even_batches();
  }
  if (state.dispatch_batches()) {
    context.dispatch_batches = *state.dispatch_batches();
  }
  context.non_blocking = state.non_blocking();
  context.accumulates = state.window().length() > 1;
  return context;
}

void LoopShare::announce(const Share& share) {
  state_->passes().announce(this, share);
}
void LoopShare::pause() {
  state_->passes().pause(this);
}
void LoopShare::end() {
  state_->passes().end(this);
}

void SinglePass::set_rows(int64_t rows) {
  rows_ = rows;
  state_->passes().end_by_hand();
}

SinglePass::SinglePass(std::shared_ptr<State> state, std::function<bool()> at_end)
    : state_(std::move(state)) {
  state_->passes().begin(this, {std::move(at_end), [this] { return rows_; }});
}
void SinglePass::end() {
  state_->passes().end(this);
}

Division make_division(const LoaderContext& context, size_t batch_size, bool drop_last,
                       LoaderUse use) {
  Division division;
  division.rank = context.rank;
  division.size = context.size;
  division.batch_size = batch_size;
  division.split_batches = context.split_batches;
  division.drop_last = drop_last;
  division.even_batches = context.even_batches;
  division.evaluation = use == LoaderUse::Evaluation;
  const auto processes = static_cast<size_t>(context.size);
  TORCH_CHECK(
      division.evaluation || !division.split_batches || !division.even_batches ||
          batch_size % processes == 0,
      "accel: with split_batches and even_batches given, the batch size must be a multiple "
      "of the number of processes: ",
      batch_size, " rows can't be divided evenly by ", processes,
      " processes. Choose another batch size, or leave even_batches unset, which takes any.");
  return division;
}

LoaderPlan::LoaderPlan(const State& state, const torch::Device& device, size_t batch_size,
                       bool drop_last, LoaderUse use, bool divisible) {
  const LoaderContext context = loader_context(state);
  division = make_division(context, batch_size, drop_last, use);
  destination.device = device;
  destination.non_blocking = context.non_blocking;
  places = !device.is_cpu() || torch::cuda::is_available();
  counts = single() && context.accumulates;
  if (!single()) {
    dispatch = context.dispatch_batches.value_or(!divisible);
    stream = dispatch || !divisible;
    division.keep_whole = stream;
  }
}

std::pair<int64_t, int64_t> share_rows(State& state, int64_t rows) {
  TORCH_CHECK(rows > 0, "accel: shard() was given a batch without rows");
  const int64_t each = rows / state.size();
  const int64_t more = rows % state.size();
  const auto bounds = [&](int64_t rank) {
    const int64_t begin = rank * each + std::min(rank, more);
    return std::make_pair(begin, begin + each + (rank < more ? 1 : 0));
  };
  Share share;
  auto mine = bounds(state.rank());
  share.repeated = mine.first == mine.second;
  if (share.repeated) {
    mine = bounds(0);
  }
  share.local_rows = mine.second - mine.first;
  share.counted_rows = share.repeated ? 0 : share.local_rows;
  share.all_rows = rows;
  state.passes().announce_by_hand(share);
  return mine;
}

bool counts_rows(const State& state) {
  return state.size() > 1 || state.window().length() > 1;
}

bool non_blocking(const State& state) {
  return state.non_blocking();
}

void check_replicas(size_t replicas) {
  TORCH_CHECK(
      replicas == 1, "accel: the sampler divides the rows over ", replicas,
      " replicas by itself. Make it with num_replicas 1 and rank 0: the loader divides what "
      "it yields over the processes.");
}

void refuse_base_pass() {
  TORCH_CHECK(false,
              "accel: a pass over a loader that divides batches rather than row numbers (of a "
              "stream, a stateful dataset, or with dispatch_batches) was begun through the "
              "type of torch's loader. Keep the type that accelerator.make_data_loader "
              "returns (auto) where the loop is.");
}

void refuse_worker_epoch() {
  TORCH_CHECK(false, "accel: set_epoch can't reach the copies of the dataset that the loader's "
                     "workers have. Share one: torch::data::datasets::make_shared_dataset.");
}

} // namespace accel::detail

namespace accel {

bool Loaders::end_of_dataloader() const {
  return state_->passes().at_end();
}

torch::Tensor Loaders::shard(torch::Tensor value, int64_t dim) const {
  TORCH_CHECK(value.defined() && value.dim() > 0, "accel: shard() was given a tensor without rows");
  if (detail::counts_rows(*state_)) {
    const auto bounds = detail::share_rows(*state_, value.size(dim));
    value = value.narrow(dim, bounds.first, bounds.second - bounds.first);
  }
  detail::place(value, device(), detail::non_blocking(*state_));
  return value;
}

} // namespace accel
