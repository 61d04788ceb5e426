// A data loader that yields each process's share, on the process's device.
#pragma once

#include <accel/placement.h>
#include <accel/share.h>

#include <torch/data/dataloader.h>
#include <torch/data/samplers/sequential.h>

#include <deque>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace accel {

/// Training: every process runs the same number of rounds. Evaluation: every batch of the original
/// loader goes whole to one process, in turn, so the processes may run different numbers of batches
/// and no collective may be called inside the loop.
enum class LoaderUse { Training, Evaluation };

namespace detail {

/// The requests of a sampler as one process sees them: on one process the sampler's own, on several
/// this process's share of each round. The order is that of process 0's sampler.
template <class Sampler> class ShareFeed {
public:
  using Request = typename Sampler::BatchRequestType;

  ShareFeed(std::shared_ptr<State> state, Sampler sampler,
            const torch::data::FullDataLoaderOptions& options, LoaderUse use)
      : state_(std::move(state)), context_(loader_context(*state_)), sampler_(std::move(sampler)),
        batch_size_(options.batch_size), drop_last_(options.drop_last), use_(use) {}

  void reset() {
    sampler_.reset();
    drawn_.clear();
    ended_ = false;
  }

  /// The next request and its share; empty at the end of the epoch.
  torch::optional<std::pair<Request, Share>> next() {
    if (context_.size == 1) {
      auto request = draw();
      if (!request) {
        return torch::nullopt;
      }
      Share whole;
      whole.local_rows = whole.all_rows = whole.counted_rows =
          static_cast<int64_t>(request->size());
      return std::make_pair(std::move(*request), whole);
    }
    if constexpr (divisible) {
      return use_ == LoaderUse::Training ? next_round() : next_whole_batch();
    } else {
      TORCH_CHECK(false,
                  "accel: this sampler yields requests other than lists of row numbers, "
                  "which can't be divided over ",
                  context_.size, " processes; use a sampler that yields std::vector<size_t>");
    }
  }

private:
  static constexpr bool divisible = std::is_same_v<Request, std::vector<size_t>>;
  // Every process can draw a sequence by itself; any other order is process 0's.
  static constexpr bool agreed = std::is_same_v<Sampler, torch::data::samplers::SequentialSampler>;
  // Rows that process 0 tells the others at a time.
  static constexpr size_t rows_ahead = 1 << 16;

  torch::optional<Request> draw() {
    auto request = sampler_.next(batch_size_);
    if (!request || (request->size() < batch_size_ && drop_last_)) {
      return torch::nullopt;
    }
    TORCH_INTERNAL_ASSERT(request->size() > 0);
    return request;
  }

  torch::optional<Request> draw_agreed() {
    if constexpr (agreed) {
      return draw();
    } else {
      if (drawn_.empty() && !ended_) {
        draw_ahead();
      }
      if (drawn_.empty()) {
        return torch::nullopt;
      }
      Request request = std::move(drawn_.front());
      drawn_.pop_front();
      return request;
    }
  }

  // An evaluation loop must not need the other processes, so its whole order is told at once.
  void draw_ahead() {
    std::vector<int64_t> words{0};
    if (context_.rank == 0) {
      size_t rows = 0;
      while (words[0] == 0 && (use_ == LoaderUse::Evaluation || rows < rows_ahead)) {
        auto request = draw();
        if (!request) {
          words[0] = 1;
          break;
        }
        rows += request->size();
        words.push_back(static_cast<int64_t>(request->size()));
        words.insert(words.end(), request->begin(), request->end());
      }
    }
    follow_main_process(*state_, words);
    ended_ = words[0] == 1;
    for (size_t at = 1; at < words.size();) {
      const auto first = words.begin() + static_cast<std::ptrdiff_t>(at) + 1;
      const auto count = static_cast<std::ptrdiff_t>(words[at]);
      drawn_.emplace_back(first, first + count);
      at += static_cast<size_t>(count) + 1;
    }
  }

  torch::optional<std::pair<Request, Share>> next_round() {
    std::vector<Request> batches;
    const int wanted = context_.split_batches ? 1 : context_.size;
    while (static_cast<int>(batches.size()) < wanted) {
      auto request = draw_agreed();
      if (!request) {
        break;
      }
      batches.push_back(std::move(*request));
    }
    // A program that drops a short batch counts on whole ones: a round that can't give each process
    // one is dropped too, as in Accelerate.
    const bool incomplete = static_cast<int>(batches.size()) < wanted;
    if (batches.empty() || (incomplete && drop_last_)) {
      return torch::nullopt;
    }
    auto planned =
        plan_round(batches, batch_size_, context_.rank, context_.size, context_.split_batches);
    return std::make_pair(std::move(planned.rows), planned.share);
  }

  torch::optional<std::pair<Request, Share>> next_whole_batch() {
    torch::optional<Request> mine;
    for (int rank = 0; rank < context_.size; ++rank) {
      auto request = draw_agreed();
      if (!request) {
        break;
      }
      if (rank == context_.rank) {
        mine = std::move(request);
      }
    }
    if (!mine) {
      return torch::nullopt;
    }
    Share share;
    share.local_rows = share.all_rows = share.counted_rows = static_cast<int64_t>(mine->size());
    share.evaluation = true;
    return std::make_pair(std::move(*mine), share);
  }

  std::shared_ptr<State> state_;
  LoaderContext context_;
  Sampler sampler_;
  size_t batch_size_;
  bool drop_last_;
  LoaderUse use_;
  std::deque<Request> drawn_;
  bool ended_ = false;
};

} // namespace detail

/// A torch::data::StatelessDataLoader that yields this process's share of each round, moved to the
/// process's device. Made by Accelerator::make_data_loader and make_eval_data_loader. On one
/// process its batches, their order and its draws of random numbers are those of torch's loader.
///
/// begin() is a collective on several processes unless the sampler is a SequentialSampler. With
/// workers the batches are yielded in order on several processes, whatever enforce_ordering says.
/// To be used by one thread.
template <class Dataset, class Sampler>
class DataLoader : public torch::data::StatelessDataLoader<Dataset, Sampler> {
  static_assert(std::is_copy_constructible_v<Sampler>,
                "accel: the sampler is copied into the loader; give its class a copy constructor");
  using Base = torch::data::StatelessDataLoader<Dataset, Sampler>;
  using Batch = typename Base::super::BatchType;
  using Request = typename Base::super::BatchRequestType;

public:
  DataLoader(std::shared_ptr<detail::State> state, torch::Device device, Dataset dataset,
             Sampler sampler, torch::data::DataLoaderOptions options, LoaderUse use)
      : Base(std::move(dataset), sampler, ordered(*state, options)), state_(state), device_(device),
        feed_(state, std::move(sampler), this->options_, use), base_loop_(state) {}

  /// A pass over the loader; see torch::data::DataLoaderBase::begin. The current share ends with
  /// the iterator.
  torch::data::Iterator<Batch> begin() {
    own_pass_ = true;
    Base::begin();
    auto loop = std::make_shared<detail::LoopShare>(state_);
    auto produce = [this, loop]() -> torch::optional<Batch> { return this->produce(*loop); };
    return torch::data::Iterator<Batch>(
        std::make_unique<torch::data::detail::ValidIterator<Batch>>(std::move(produce)));
  }

private:
  static torch::data::DataLoaderOptions ordered(const detail::State& state,
                                                torch::data::DataLoaderOptions options) {
    if (detail::loader_context(state).size > 1) {
      options.enforce_ordering(true);
    }
    return options;
  }

  torch::optional<Batch> produce(detail::LoopShare& loop) {
    torch::optional<Batch> batch;
    try {
      batch = this->next();
    } catch (...) {
      if (!shares_.empty()) {
        shares_.pop_front();
      }
      throw;
    }
    if (!batch) {
      loop.end();
      return batch;
    }
    loop.announce(shares_.front());
    shares_.pop_front();
    move_to_device(*batch, device_);
    return batch;
  }

  void reset() override {
    base_loop_.end();
    feed_.reset();
    shares_.clear();
    resetting_ = true;
    Base::super::reset();
    resetting_ = false;
    follows_base_ = !own_pass_;
    own_pass_ = false;
  }

  torch::optional<Request> get_batch_request() override {
    auto next = feed_.next();
    if (next) {
      shares_.push_back(next->second);
    }
    if (follows_base_ && !resetting_) {
      announce_to_base_pass();
    }
    if (!next) {
      return torch::nullopt;
    }
    return std::move(next->first);
  }

  // A pass begun through the base class's begin() asks for a request once a batch: for the batch
  // that it is about to yield, or with workers right after it has taken one.
  void announce_to_base_pass() {
    if (shares_.empty()) {
      base_loop_.end();
      return;
    }
    if (!shares_.front().evaluation) {
      base_loop_.announce(shares_.front());
    }
    shares_.pop_front();
  }

  std::shared_ptr<detail::State> state_;
  torch::Device device_;
  detail::ShareFeed<Sampler> feed_;
  detail::LoopShare base_loop_;
  // The shares of the requests that are on their way, oldest first.
  std::deque<Share> shares_;
  bool own_pass_ = false;
  bool follows_base_ = false;
  bool resetting_ = false;
};

} // namespace accel
