// Accumulation windows: micro-batches whose gradients make one step.
#pragma once

#include <cstdint>

namespace accel::detail {

/// What the losses of a window are divided by in the end.
enum class Divisor {
  /// The rows of all its micro-batches: for losses that are means over rows.
  Rows,
  /// Nothing: for sums.
  Nothing,
  /// The counts that were given with the losses.
  Count
};

/// The window under way. Weights are such that the window's gradient is that of one batch of all
/// its rows, whatever the number of micro-batches in it: each micro-batch is weighted relative to
/// the first, and the whole is scaled when the last one has told how much there was. One
/// micro-batch outside of accumulate() is a window of its own.
class Window {
public:
  /// `length`: micro-batches in a full window.
  explicit Window(int64_t length) : length_(length) {}

  int64_t length() const { return length_; }
  /// A micro-batch begins: of the pass `pass` over a loader, whose last one is `last`. Returns
  /// whether an earlier pass left an open window behind, whose gradients are to be dropped.
  bool begin(int64_t pass, bool last);
  void end() { inside_ = false; }
  bool inside() const { return inside_; }
  /// Whether more of the window's micro-batches are to come, so that gradients are not exchanged
  /// and no step is made. `pass`: the one under way; a window that it doesn't belong to was left
  /// open by an early exit and is over.
  bool accumulates(int64_t pass) const { return !syncs_ && pass == pass_; }

  /// What a loss is multiplied by, besides its share of the round, and what the gradients that are
  /// there already are.
  struct Weights {
    double loss = 1;
    double before = 1;
  };
  /// For a loss that is a mean over its part of `all_rows` rows.
  Weights weigh_rows(int64_t all_rows);
  Weights weigh_sum();
  /// For a sum with a count: takes this process's count, returns the window's on this process.
  double local_count(double count);
  /// When the window ends, for the total of those over the processes.
  Weights weigh_total_count(double total);

private:
  void use(Divisor divisor);

  int64_t length_;
  int64_t index_ = 0;
  int64_t pass_ = -1;
  bool inside_ = false;
  bool syncs_ = true;
  bool weighed_ = false; // this micro-batch
  bool scaled_ = false;  // the window
  bool any_ = false;
  Divisor divisor_ = Divisor::Rows;
  double first_ = 0;
  double total_ = 0;
};

} // namespace accel::detail
