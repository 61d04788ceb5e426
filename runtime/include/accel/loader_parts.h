// What the loaders of both kinds of datasets have in common.
#pragma once

#include <accel/device_batches.h>
#include <accel/feed.h>

#include <torch/data/iterator.h>
#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace accel::detail {

/// What is asked of a dataset before it goes into its loader.
struct DatasetFacts {
  std::optional<size_t> rows;
  /// Sets the epoch of a dataset that the loader's workers share.
  std::function<void(size_t)> set_epoch;
};

template <class T, class = void> struct HasSetEpoch : std::false_type {};
template <class T>
struct HasSetEpoch<T, std::void_t<decltype(std::declval<T&>().set_epoch(size_t{}))>>
    : std::true_type {};
template <class T, class = void> struct HasSharedEpoch : std::false_type {};
template <class T>
struct HasSharedEpoch<T, std::void_t<decltype(std::declval<T&>()->set_epoch(size_t{}))>>
    : std::true_type {};
// A ChunkDataset can't be moved, so a loader only gets it shared.
template <class T, class = void> struct HasChunkEpoch : std::false_type {};
template <class T>
struct HasChunkEpoch<T,
                     std::void_t<decltype(std::declval<T&>()->chunk_sampler().set_epoch(size_t{}))>>
    : std::true_type {};

template <class Dataset> DatasetFacts facts_of(Dataset& dataset) {
  DatasetFacts facts;
  if constexpr (HasSharedEpoch<Dataset>::value) {
    facts.set_epoch = [shared = dataset](size_t epoch) mutable { shared->set_epoch(epoch); };
  } else if constexpr (HasChunkEpoch<Dataset>::value) {
    facts.set_epoch = [shared = dataset](size_t epoch) mutable {
      shared->chunk_sampler().set_epoch(epoch);
    };
  }
  return facts;
}

/// A pass over a loader on one process, which has nothing to share: while it lives, the state can
/// ask whether the loop is at its last batch.
class SinglePass {
public:
  SinglePass(std::shared_ptr<State> state, std::function<bool()> at_end);
  SinglePass(const SinglePass&) = delete;
  SinglePass& operator=(const SinglePass&) = delete;
  ~SinglePass() { end(); }
  void end();
  /// Says how many rows the batch has that is yielded now; to be called where loaders are to count.
  void set_rows(int64_t rows);

private:
  std::shared_ptr<State> state_;
  int64_t rows_ = 1;
};

/// How a loader works on this process.
struct LoaderPlan {
  LoaderPlan(const State& state, const torch::Device& device, size_t batch_size, bool drop_last,
             LoaderUse use, bool divisible);

  Division division;
  Destination destination;
  /// Batches are divided, rather than requests.
  bool stream = false;
  /// Process 0 reads for all.
  bool dispatch = false;
  /// A tensor can be somewhere else than on the device.
  bool places = false;
  /// The rows of batches are asked for on one process.
  bool counts = false;

  bool single() const { return division.size == 1; }
  /// This process reads the dataset.
  bool reads() const { return !dispatch || division.rank == 0; }
};

template <class Batch, class Produce> torch::data::Iterator<Batch> make_iterator(Produce produce) {
  using Valid = torch::data::detail::ValidIterator<Batch>;
  return torch::data::Iterator<Batch>(std::make_unique<Valid>(std::move(produce)));
}

[[noreturn]] void refuse_base_pass();
[[noreturn]] void refuse_worker_epoch();

} // namespace accel::detail
