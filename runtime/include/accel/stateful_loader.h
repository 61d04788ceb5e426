// A data loader over a stateful dataset that yields each process's share, on the process's device.
#pragma once

#include <accel/loader_parts.h>
#include <accel/share.h>

#include <torch/data/dataloader.h>

#include <memory>
#include <optional>
#include <utility>

namespace accel {

/// The same as DataLoader for a dataset that makes its batches itself (StatefulDataset,
/// ChunkDataset): a torch::data::StatefulDataLoader of which each process gets its share, batch by
/// batch. By default process 0 reads and sends, since nothing says that the dataset yields the same
/// on every process; with dispatch_batches(false) every process reads all and keeps its share, so
/// the dataset must yield the same everywhere. To be used by one thread.
template <class Dataset>
class StatefulDataLoader : public torch::data::StatefulDataLoader<Dataset> {
  using Base = torch::data::StatefulDataLoader<Dataset>;
  using Batch = typename Base::super::BatchType;
  using Request = typename Base::super::BatchRequestType;

public:
  StatefulDataLoader(std::shared_ptr<detail::State> state, torch::Device device, Dataset dataset,
                     torch::data::DataLoaderOptions options, LoaderUse use,
                     detail::DatasetFacts facts = {})
      : Base(std::move(dataset), std::move(options)), state_(std::move(state)),
        facts_(std::move(facts)), plan_(*state_, device, this->options_.batch_size,
                                        this->options_.drop_last, use, /*divisible=*/false),
        stream_(state_, plan_.division, plan_.dispatch, [this] { return this->next(); }) {
    // Workers may finish in any order, which must be the same on all processes that read.
    TORCH_CHECK(plan_.single() || plan_.dispatch || this->options_.workers == 0,
                "accel: workers share a stateful dataset and take its batches in an order that "
                "differs between processes. Use workers(0), or let process 0 read: "
                "dispatch_batches(true).");
    place_on_the_way();
  }

  /// A pass over the loader; see torch::data::DataLoaderBase::begin. A collective on several
  /// processes with dispatch_batches, as is every step to the next batch.
  torch::data::Iterator<Batch> begin() {
    own_pass_ = true;
    Base::begin();
    const size_t skip = std::exchange(skip_, 0);
    if (plan_.single()) {
      for (size_t i = 0; i < skip && this->next(); ++i) {
      }
      auto pass =
          std::make_shared<detail::SinglePass>(state_, [this] { return end_of_dataloader(); });
      return detail::make_iterator<Batch>([this, pass] { return next_of_single(*pass); });
    }
    for (size_t i = 0; i < skip && stream_.next(); ++i) {
    }
    auto loop = std::make_shared<detail::LoopShare>(state_);
    return detail::make_iterator<Batch>([this, loop] { return produce(*loop); });
  }

  /// See DataLoader. The batches that are left out are read.
  void skip_first_batches(size_t count) { skip_ = count; }

  /// Tells the dataset, or the chunk sampler of a shared ChunkDataset, which epoch comes: where it
  /// has a set_epoch(size_t).
  void set_epoch(size_t epoch) {
    if (facts_.set_epoch) {
      facts_.set_epoch(epoch);
    } else if constexpr (detail::HasSetEpoch<Dataset>::value) {
      this->main_thread_dataset_->set_epoch(epoch);
    }
  }

  /// See DataLoader. On one process this reads a batch ahead.
  bool end_of_dataloader() {
    if (!plan_.single()) {
      return at_end_;
    }
    if (!ahead_) {
      ahead_.emplace(this->next());
    }
    return !ahead_->has_value();
  }

  /// See DataLoader.
  size_t total_batch_size() const {
    return plan_.division.batch_size * plan_.division.batches_a_round();
  }

private:
  using Result = typename Base::super::Result;

  // On one process a pass may be begun through the type of torch's loader.
  bool places_on_the_way() const {
    return plan_.single() && plan_.places &&
           (this->options_.workers > 0 || detail::can_place_dataset<Dataset>);
  }
  void place_on_the_way() {
    if constexpr (detail::can_place_dataset<Dataset>) {
      if (places_on_the_way() && this->options_.workers == 0) {
        this->main_thread_dataset_ = std::make_unique<detail::PlacedDataset<Dataset>>(
            std::move(*this->main_thread_dataset_), plan_.destination);
      }
    }
  }

  torch::optional<Batch> next_of_single(detail::SinglePass& pass) {
    torch::optional<Batch> batch;
    if (ahead_) {
      batch = std::move(*ahead_);
      ahead_.reset();
    } else {
      batch = this->next();
    }
    if (!batch) {
      pass.end();
      return batch;
    }
    if (plan_.counts) {
      pass.set_rows(detail::count_rows(detail::rows_in(*batch)));
    }
    if (plan_.places && !places_on_the_way()) {
      plan_.destination.take(*batch);
    }
    return batch;
  }

  torch::optional<Batch> produce(detail::LoopShare& loop) {
    loop.pause();
    auto next = stream_.next();
    if (!next) {
      loop.end();
      return torch::nullopt;
    }
    at_end_ = next->second.last;
    loop.announce(next->second);
    if (plan_.places) {
      plan_.destination.take(next->first);
    }
    return std::move(next->first);
  }

  void reset() override {
    if (!plan_.single() && !own_pass_) {
      detail::refuse_base_pass();
    }
    own_pass_ = false;
    ahead_.reset();
    at_end_ = false;
    stream_.reset();
    if (plan_.reads()) {
      this->main_thread_dataset_->reset();
    }
    Base::super::reset();
    if (places_on_the_way() && this->options_.workers > 0) {
      this->sequencer_ = std::make_unique<detail::PlacingSequencer<Result>>(
          std::move(this->sequencer_), plan_.destination);
    }
  }

  torch::optional<Request> get_batch_request() override {
    if (!plan_.reads()) {
      return torch::nullopt;
    }
    return this->options_.batch_size;
  }

  std::shared_ptr<detail::State> state_;
  detail::DatasetFacts facts_;
  detail::LoaderPlan plan_;
  detail::StreamFeed<Batch> stream_;
  // On one process, the batch after the current one where somebody asked whether there is one.
  std::optional<torch::optional<Batch>> ahead_;
  size_t skip_ = 0;
  bool at_end_ = false;
  bool own_pass_ = false;
};

} // namespace accel
