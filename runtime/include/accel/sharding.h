// Dividing the batches of an epoch over the processes: pure functions of lists of row numbers.
#pragma once

#include <accel/share.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace accel::detail {

/// The numbers of a batch's rows in the dataset.
using RowNumbers = std::vector<size_t>;

/// How the batches of a loader are divided over the processes.
struct Division {
  int rank = 0;
  int size = 1;
  size_t batch_size = 1;
  bool split_batches = false;
  bool drop_last = false;
  /// See AcceleratorOptions::even_batches.
  std::optional<bool> even_batches;
  /// For evaluation: batches go whole to one process in turn.
  bool evaluation = false;
  /// The batches are read already and are not to be taken apart where that can be helped.
  bool keep_whole = false;

  /// How many of the sampler's batches make a round.
  size_t batches_a_round() const {
    return split_batches && !evaluation ? 1 : static_cast<size_t>(size);
  }
};

/// The rows that one process takes of a round.
struct PlannedShare {
  RowNumbers rows;
  Share share;
};

/// Groups the batches of an epoch in rounds, one batch ahead of what it hands out.
template <class Batch> class RoundReader {
public:
  struct Round {
    std::vector<Batch> batches;
    /// No batch comes after these.
    bool last = false;
  };

  void reset() {
    ahead_.reset();
    begun_ = false;
  }

  /// The next `count` batches of `draw()`, which returns an empty optional at the end; fewer at the
  /// end, none after it.
  template <class Draw> Round next(size_t count, Draw&& draw) {
    if (!begun_) {
      advance(draw);
      begun_ = true;
    }
    Round round;
    while (round.batches.size() < count && ahead_) {
      round.batches.push_back(std::move(*ahead_));
      advance(draw);
    }
    round.last = !ahead_;
    return round;
  }

private:
  template <class Draw> void advance(Draw& draw) {
    auto batch = draw();
    if (batch) {
      ahead_.emplace(std::move(*batch));
    } else {
      ahead_.reset();
    }
  }

  std::optional<Batch> ahead_;
  bool begun_ = false;
};

/// Divides the rounds of an epoch, one after another.
///
/// A round with a batch of `batch_size` rows for every process gives batch i to process i; with
/// split_batches a round is one batch, cut in contiguous shares. What differs is a round that is
/// short of that:
/// - exact (even_batches unset): its rows are divided as evenly as they go, the first processes
///   taking one more. A process without a row repeats the share of process 0 with weight zero.
/// - even_batches true: filled up to a whole round with the rows of the first one, from its start
///   on, again and again. Every process weighs the same, as in Accelerate.
/// - even_batches false: cut as if it were whole, so that shares are short or missing.
/// Batches of sizes of the sampler's own (a size other than batch_size before the end) stay whole;
/// where some are missing at the end, even_batches true repeats the first batches.
class RoundPlanner {
public:
  explicit RoundPlanner(const Division& division);
  void reset();

  /// What this process takes of the next round; empty where it takes nothing (even_batches false,
  /// and evaluation) or the round is dropped. `last`: no batch comes after it.
  std::optional<PlannedShare> plan(const std::vector<RowNumbers>& batches, bool last);

private:
  std::optional<PlannedShare> plan_whole(const std::vector<RowNumbers>& batches) const;
  PlannedShare plan_exact(const std::vector<RowNumbers>& batches) const;
  PlannedShare plan_filled(const std::vector<RowNumbers>& batches) const;
  std::optional<PlannedShare> plan_uneven(const std::vector<RowNumbers>& batches) const;
  std::optional<PlannedShare> whole_batch(const std::vector<RowNumbers>& batches) const;

  Division division_;
  // The first round, for filling up.
  std::vector<RowNumbers> first_;
  bool begun_ = false;
  // A batch of another size than batch_size came before the end.
  bool dynamic_ = false;
};

/// How many batches this process gets in an epoch over `rows` rows.
size_t count_batches(const Division& division, size_t rows);

/// How many rows of the last round of an epoch over `rows` rows are new, where that round is short;
/// zero where it is whole, -1 where a short one is dropped.
int64_t remainder(const Division& division, size_t rows);

} // namespace accel::detail
