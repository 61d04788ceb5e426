// A data loader that yields each process's share, on the process's device.
#pragma once

#include <accel/loader_parts.h>
#include <accel/share.h>

#include <torch/data/dataloader.h>

#include <deque>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace accel {

/// A torch::data::StatelessDataLoader that yields this process's share of each round, moved to the
/// process's device. Made by Accelerator::make_data_loader and make_eval_data_loader. On one
/// process its batches, their order and its draws of random numbers are those of torch's loader.
///
/// A sampler of row numbers (std::vector<size_t>) is divided before anything is read. One of other
/// requests (StreamSampler), and any with dispatch_batches, is divided batch by batch. On several
/// processes begin() is a collective, unless the sampler is known to be the same everywhere
/// (SequentialSampler, SeedableRandomSampler); with dispatch_batches so is every step to the next
/// batch. With workers the batches are yielded in order on several processes, whatever
/// enforce_ordering says. A pass begun through the type of torch's loader yields the same, except
/// that it throws where batches are divided, and that the current share ends with the pass only
/// when it runs to its end. To be used by one thread.
template <class Dataset, class Sampler>
class DataLoader : public torch::data::StatelessDataLoader<Dataset, Sampler> {
  static_assert(std::is_copy_constructible_v<Sampler>,
                "accel: the sampler is copied into the loader; give its class a copy constructor");
  using Base = torch::data::StatelessDataLoader<Dataset, Sampler>;
  using Batch = typename Base::super::BatchType;
  using Request = typename Base::super::BatchRequestType;
  static constexpr bool divisible = std::is_same_v<Request, detail::RowNumbers>;

public:
  DataLoader(std::shared_ptr<detail::State> state, torch::Device device, Dataset dataset,
             Sampler sampler, torch::data::DataLoaderOptions options, LoaderUse use,
             detail::DatasetFacts facts = {})
      : Base(std::move(dataset), sampler, ordered(*state, options)), state_(std::move(state)),
        sampler_(std::move(sampler)), facts_(std::move(facts)),
        plan_(*state_, device, this->options_.batch_size, this->options_.drop_last, use, divisible),
        base_loop_(state_) {
    if (plan_.single()) {
      // The sampler's requests are this process's.
    } else if (plan_.stream) {
      stream_ = std::make_unique<Stream>(state_, plan_.division, plan_.dispatch,
                                         [this] { return this->next(); });
    } else if constexpr (divisible) {
      indices_ = std::make_unique<Indices>(state_, plan_.division, [this] { return draw(); });
    }
    place_on_the_way();
  }

  /// A pass over the loader; see torch::data::DataLoaderBase::begin. The current share ends with
  /// the iterator.
  torch::data::Iterator<Batch> begin() {
    own_pass_ = true;
    Base::begin();
    if (plan_.single()) {
      auto pass =
          std::make_shared<detail::SinglePass>(state_, [this] { return end_of_dataloader(); });
      return detail::make_iterator<Batch>([this, pass] { return next_of_single(*pass); });
    }
    if (stream_) {
      for (; skip_ > 0 && stream_->next(); --skip_) {
      }
      skip_ = 0;
    }
    auto loop = std::make_shared<detail::LoopShare>(state_);
    return detail::make_iterator<Batch>([this, loop] { return produce(*loop); });
  }

  /// Leaves out the first `count` batches of the next pass, and only of that one: for going on in
  /// the middle of an epoch. Where rows are divided by their numbers, nothing of them is read.
  void skip_first_batches(size_t count) { skip_ = count; }

  /// Tells the sampler, or else the dataset, which epoch comes: where they have a
  /// set_epoch(size_t). Others are left alone. Throws where workers have copies of the dataset.
  void set_epoch(size_t epoch) {
    if constexpr (detail::HasSetEpoch<Sampler>::value) {
      sampler_.set_epoch(epoch);
    } else if (facts_.set_epoch) {
      facts_.set_epoch(epoch);
    } else if constexpr (detail::HasSetEpoch<Dataset>::value) {
      if (!this->main_thread_dataset_) {
        detail::refuse_worker_epoch();
      }
      this->main_thread_dataset_->set_epoch(epoch);
    }
  }

  /// Whether the loop is at the last batch of its pass. On one process this looks at the sampler's
  /// next request, a batch earlier than the loop itself would.
  bool end_of_dataloader() {
    if (!plan_.single()) {
      return at_end_;
    }
    if (this->options_.workers > 0) {
      return requested_ == 0;
    }
    if (!ahead_) {
      ahead_.emplace(draw());
    }
    return !ahead_->has_value();
  }

  /// How many rows a round takes over all processes.
  size_t total_batch_size() const {
    return plan_.division.batch_size * plan_.division.batches_a_round();
  }

  /// How many batches this process gets in an epoch of a sampler that yields each row once, or
  /// nothing where the dataset doesn't know its size.
  std::optional<size_t> size() const {
    if (!facts_.rows) {
      return std::nullopt;
    }
    return detail::count_batches(plan_.division, *facts_.rows);
  }

private:
  using Stream = detail::StreamFeed<Batch>;
  using Indices = detail::IndexFeed<detail::IsAgreed<Sampler>::value>;
  using Result = typename Base::super::Result;

  static torch::data::DataLoaderOptions ordered(const detail::State& state,
                                                torch::data::DataLoaderOptions options) {
    if (detail::loader_context(state).size > 1) {
      options.enforce_ordering(true);
    }
    return options;
  }

  // Batches are moved where torch's loader takes them, so that any pass yields them moved.
  void place_on_the_way() {
    if constexpr (detail::can_place_dataset<Dataset>) {
      if (this->main_thread_dataset_ && plan_.places && !plan_.stream) {
        this->main_thread_dataset_ = std::make_unique<detail::PlacedDataset<Dataset>>(
            std::move(*this->main_thread_dataset_), plan_.destination);
      }
    }
  }
  bool placed_on_the_way() const {
    return !plan_.places ||
           (!plan_.stream && (this->options_.workers > 0 || detail::can_place_dataset<Dataset>));
  }

  torch::optional<Batch> next_of_single(detail::SinglePass& pass) {
    requested_ -= requested_ > 0 ? 1 : 0;
    auto batch = this->next();
    if (!batch) {
      pass.end();
      return batch;
    }
    if (plan_.counts) {
      pass.set_rows(static_cast<int64_t>(rows_.front()));
      rows_.pop_front();
    }
    if (!placed_on_the_way()) {
      plan_.destination.take(*batch);
    }
    return batch;
  }

  torch::optional<Batch> produce(detail::LoopShare& loop) {
    auto batch = stream_ ? produce_of_stream(loop) : produce_of_indices(loop);
    if (!batch) {
      loop.end();
    } else if (!placed_on_the_way()) {
      plan_.destination.take(*batch);
    }
    return batch;
  }

  torch::optional<Batch> produce_of_stream(detail::LoopShare& loop) {
    loop.pause();
    auto next = stream_->next();
    if (!next) {
      return torch::nullopt;
    }
    announce(loop, next->second);
    return std::move(next->first);
  }

  torch::optional<Batch> produce_of_indices(detail::LoopShare& loop) {
    torch::optional<Batch> batch;
    try {
      batch = this->next();
    } catch (...) {
      if (!shares_.empty()) {
        shares_.pop_front();
      }
      throw;
    }
    if (batch) {
      announce(loop, shares_.front());
      shares_.pop_front();
    }
    return batch;
  }

  void announce(detail::LoopShare& loop, const Share& share) {
    at_end_ = share.last;
    loop.announce(share);
  }

  void reset() override {
    base_loop_.end();
    if (stream_ && !own_pass_) {
      detail::refuse_base_pass();
    }
    sampler_.reset();
    ahead_.reset();
    requested_ = 0;
    shares_.clear();
    rows_.clear();
    at_end_ = false;
    if (stream_) {
      stream_->reset();
    } else {
      if (indices_) {
        indices_->reset();
      }
      skip_requests();
    }
    resetting_ = true;
    Base::super::reset();
    resetting_ = false;
    follows_base_ = !own_pass_;
    own_pass_ = false;
    if (plan_.places && !plan_.stream && this->options_.workers > 0) {
      this->sequencer_ = std::make_unique<detail::PlacingSequencer<Result>>(
          std::move(this->sequencer_), plan_.destination);
    }
  }

  void skip_requests() {
    for (; skip_ > 0; --skip_) {
      const bool there = plan_.single() ? draw().has_value() : indices_->next().has_value();
      if (!there) {
        break;
      }
    }
    skip_ = 0;
  }

  torch::optional<Request> draw() {
    auto request = sampler_.next(this->options_.batch_size);
    if (!request || (request->size() < this->options_.batch_size && this->options_.drop_last)) {
      return torch::nullopt;
    }
    TORCH_INTERNAL_ASSERT(request->size() > 0);
    return request;
  }

  torch::optional<Request> get_batch_request() override {
    if (plan_.single()) {
      auto request = ahead_ ? std::move(*ahead_) : draw();
      ahead_.reset();
      if (plan_.counts && request) {
        rows_.push_back(request->size());
      }
      requested_ += request ? 1 : 0;
      return request;
    }
    if (stream_) {
      return plan_.reads() ? draw() : torch::nullopt;
    }
    return share_request();
  }

  torch::optional<Request> share_request() {
    if constexpr (divisible) {
      auto next = indices_->next();
      if (next) {
        shares_.push_back(next->share);
      }
      if (follows_base_ && !resetting_) {
        announce_to_base_pass();
      }
      if (next) {
        return std::move(next->rows);
      }
    }
    return torch::nullopt;
  }

  // A pass begun through the base class's begin() asks for a request once a batch: for the batch
  // that it is about to yield, or with workers right after it has taken one.
  void announce_to_base_pass() {
    if (shares_.empty()) {
      base_loop_.end();
      return;
    }
    if (!shares_.front().evaluation) {
      announce(base_loop_, shares_.front());
    }
    shares_.pop_front();
  }

  std::shared_ptr<detail::State> state_;
  Sampler sampler_;
  detail::DatasetFacts facts_;
  detail::LoaderPlan plan_;
  std::unique_ptr<Indices> indices_;
  std::unique_ptr<Stream> stream_;
  detail::LoopShare base_loop_;
  // The shares of the requests that are on their way, oldest first.
  std::deque<Share> shares_;
  // The same on one process, where they are asked for: the numbers of their rows.
  std::deque<size_t> rows_;
  // On one process, the request after the current one where somebody asked whether there is one.
  std::optional<torch::optional<Request>> ahead_;
  // On one process with workers, the requests whose batches are still to come.
  size_t requested_ = 0;
  size_t skip_ = 0;
  bool at_end_ = false;
  bool own_pass_ = false;
  bool follows_base_ = false;
  bool resetting_ = false;
};

} // namespace accel
