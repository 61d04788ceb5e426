// What a process reads of a dataset: row numbers by its share of the sampler's requests, or whole
// batches of a stream of which it keeps its share.
#pragma once

#include <accel/rows.h>
#include <accel/serialise.h>
#include <accel/sharding.h>

#include <torch/data/dataloader_options.h>
#include <torch/data/samplers/sequential.h>

#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace accel {

/// Training: every process runs the same number of rounds. Evaluation: every batch of the original
/// loader goes whole to one process, in turn, so the processes may run different numbers of batches
/// and no collective may be called inside the loop.
enum class LoaderUse { Training, Evaluation };

namespace detail {

/// How a loader divides; throws where the options ask for what can't be.
Division make_division(const LoaderContext& context, size_t batch_size, bool drop_last,
                       LoaderUse use);

/// The bytes that process 0 makes of its next batches, on every process; where it can't make them,
/// all of them throw. A collective.
std::string batches_of_main(State& state, const std::function<std::string()>& make);

/// A sampler of which every process draws the same requests by itself: it says so by a member
/// `static constexpr bool agreed = true`. Any other order is process 0's.
template <class Sampler, class = void>
struct IsAgreed : std::is_same<Sampler, torch::data::samplers::SequentialSampler> {};
template <class Sampler>
struct IsAgreed<Sampler, std::void_t<decltype(Sampler::agreed)>>
    : std::integral_constant<bool, Sampler::agreed> {};

/// This process's share of the row numbers that a sampler yields, in the order of process 0.
template <bool Agreed> class IndexFeed {
public:
  using Draw = std::function<torch::optional<RowNumbers>()>;

  /// `draw` yields the sampler's next request, empty at the end.
  IndexFeed(std::shared_ptr<State> state, const Division& division, Draw draw)
      : state_(std::move(state)), division_(division), planner_(division), draw_(std::move(draw)) {}

  void reset() {
    reader_.reset();
    planner_.reset();
    drawn_.clear();
    drawn_all_ = false;
    ended_ = false;
  }

  /// The next request and its share; empty at the end of the epoch.
  std::optional<PlannedShare> next() {
    std::optional<PlannedShare> planned;
    while (!planned && !ended_) {
      const auto round =
          reader_.next(division_.batches_a_round(), [this] { return draw_agreed(); });
      ended_ = round.last;
      planned = planner_.plan(round.batches, round.last);
      if (planned) {
        planned->share.last = round.last;
      }
    }
    return planned;
  }

private:
  // Rows that process 0 tells the others at a time.
  static constexpr size_t rows_ahead = 1 << 16;

  torch::optional<RowNumbers> draw_agreed() {
    if constexpr (Agreed) {
      return draw_();
    } else {
      if (drawn_.empty() && !drawn_all_) {
        draw_ahead();
      }
      if (drawn_.empty()) {
        return torch::nullopt;
      }
      RowNumbers request = std::move(drawn_.front());
      drawn_.pop_front();
      return request;
    }
  }

  // An evaluation loop must not need the other processes, so its whole order is told at once.
  void draw_ahead() {
    std::vector<int64_t> words{0};
    if (division_.rank == 0) {
      size_t rows = 0;
      while (words[0] == 0 && (division_.evaluation || rows < rows_ahead)) {
        auto request = draw_();
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
    drawn_all_ = words[0] == 1;
    for (size_t at = 1; at < words.size();) {
      const auto first = words.begin() + static_cast<std::ptrdiff_t>(at) + 1;
      const auto count = static_cast<std::ptrdiff_t>(words[at]);
      drawn_.emplace_back(first, first + count);
      at += static_cast<size_t>(count) + 1;
    }
  }

  std::shared_ptr<State> state_;
  Division division_;
  RoundPlanner planner_;
  RoundReader<RowNumbers> reader_;
  Draw draw_;
  std::deque<RowNumbers> drawn_;
  bool drawn_all_ = false;
  bool ended_ = false;
};

// A vector of what can't be copied says that it can be.
template <class T> constexpr bool copyable() {
  if constexpr (kind_of<T> == Kind::Sequence) {
    return copyable<typename T::value_type>();
  } else {
    return std::is_copy_constructible_v<T>;
  }
}

/// This process's share of the batches of a stream, which every process reads as a whole or process
/// 0 reads for all (`dispatch`).
template <class Batch> class StreamFeed {
public:
  using Read = std::function<torch::optional<Batch>()>;

  /// `read` yields the stream's next batch, empty at the end.
  StreamFeed(std::shared_ptr<State> state, const Division& division, bool dispatch, Read read)
      : state_(std::move(state)), division_(division), dispatch_(dispatch), planner_(division),
        read_(std::move(read)) {}

  void reset() {
    reader_.reset();
    planner_.reset();
    first_.clear();
    rows_seen_ = 0;
    ended_ = false;
  }

  /// The next batch and its share; empty at the end of the epoch. A collective with `dispatch`.
  torch::optional<std::pair<Batch, Share>> next() {
    while (!ended_) {
      Round round = dispatch_ ? receive() : reader_.next(division_.batches_a_round(), read_);
      ended_ = round.last;
      auto numbers = number_rows(round.batches);
      if (first_.empty() && division_.even_batches.value_or(false)) {
        keep_first(round.batches, numbers);
      }
      auto planned = planner_.plan(numbers, round.last);
      if (planned) {
        planned->share.last = round.last;
        return std::make_pair(assemble(planned->rows, round.batches, numbers), planned->share);
      }
    }
    return torch::nullopt;
  }

private:
  using Round = typename RoundReader<Batch>::Round;
  struct Kept {
    size_t first_row;
    size_t rows;
    Batch batch;
  };
  struct Source {
    size_t first_row;
    size_t rows;
    const Batch* batch;
  };

  Round receive() {
    Round round;
    std::exception_ptr failure;
    const auto make = [&] {
      try {
        round = reader_.next(division_.batches_a_round(), read_);
        ByteWriter writer;
        writer.write(round.last);
        writer.write(round.batches);
        return writer.take();
      } catch (...) {
        failure = std::current_exception();
        throw;
      }
    };
    std::string bytes;
    try {
      bytes = batches_of_main(*state_, make);
    } catch (...) {
      if (failure) {
        std::rethrow_exception(failure); // rather than what the others were told of it
      }
      throw;
    }
    if (division_.rank != 0) {
      ByteReader reader(bytes);
      reader.read(round.last);
      reader.read(round.batches);
    }
    return round;
  }

  // The rows of a stream are numbered as they come.
  std::vector<RowNumbers> number_rows(std::vector<Batch>& batches) {
    std::vector<RowNumbers> numbers;
    for (Batch& batch : batches) {
      RowNumbers rows(static_cast<size_t>(count_rows(rows_in(batch))));
      std::iota(rows.begin(), rows.end(), rows_seen_);
      rows_seen_ += rows.size();
      numbers.push_back(std::move(rows));
    }
    return numbers;
  }

  void keep_first(const std::vector<Batch>& batches, const std::vector<RowNumbers>& numbers) {
    for (size_t i = 0; i < batches.size(); ++i) {
      if (!numbers[i].empty()) {
        first_.push_back({numbers[i].front(), numbers[i].size(), copy_of(batches[i])});
      }
    }
  }

  static Batch copy_of(const Batch& batch) {
    if constexpr (copyable<Batch>()) {
      return batch;
    } else {
      TORCH_CHECK(false, "accel: a batch of this class can't be copied, so it can't be divided");
    }
  }

  // The planned rows, in as few pieces as they come in.
  Batch assemble(const RowNumbers& rows, const std::vector<Batch>& batches,
                 const std::vector<RowNumbers>& numbers) const {
    std::vector<Batch> pieces;
    for (size_t at = 0; at < rows.size();) {
      const Source source = source_of(rows[at], batches, numbers);
      const size_t begin = rows[at] - source.first_row;
      size_t count = 1;
      while (at + count < rows.size() && begin + count < source.rows &&
             rows[at + count] == rows[at] + count) {
        ++count;
      }
      at += count;
      pieces.push_back(copy_of(*source.batch));
      if (count < source.rows) {
        take_rows(rows_in(pieces.back()), static_cast<int64_t>(begin),
                  static_cast<int64_t>(begin + count));
      }
    }
    TORCH_INTERNAL_ASSERT(!pieces.empty());
    for (size_t i = 1; i < pieces.size(); ++i) {
      decltype(auto) into = rows_in(pieces.front());
      decltype(auto) from = rows_in(pieces[i]);
      join_rows(into, from);
    }
    return std::move(pieces.front());
  }

  Source source_of(size_t row, const std::vector<Batch>& batches,
                   const std::vector<RowNumbers>& numbers) const {
    for (size_t i = 0; i < batches.size(); ++i) {
      if (!numbers[i].empty() && row >= numbers[i].front() && row <= numbers[i].back()) {
        return {numbers[i].front(), numbers[i].size(), &batches[i]};
      }
    }
    for (const Kept& kept : first_) {
      if (row >= kept.first_row && row < kept.first_row + kept.rows) {
        return {kept.first_row, kept.rows, &kept.batch};
      }
    }
    TORCH_INTERNAL_ASSERT(false);
  }

  std::shared_ptr<State> state_;
  Division division_;
  bool dispatch_;
  RoundPlanner planner_;
  RoundReader<Batch> reader_;
  Read read_;
  std::vector<Kept> first_;
  size_t rows_seen_ = 0;
  bool ended_ = false;
};

} // namespace detail
} // namespace accel
