// A process's part of a round of batches, and how much it weighs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace accel {

/// What is known of the batch that a process works on now.
struct Share {
  /// Rows in this process's batch.
  int64_t local_rows = 1;
  /// Rows of the round over all processes, each counted once; with even_batches(true), as many
  /// times this process's rows as there are processes, so that all weigh the same.
  int64_t all_rows = 1;
  /// The leading rows of this process's batch that count: the ones after them are another process's
  /// too, or were seen before, and only fill the batch up.
  int64_t counted_rows = 1;
  /// The rows are another process's too (this one had none left): they weigh nothing.
  bool repeated = false;
  /// Not every process has a part in this: the batch came from an evaluation loader, whose
  /// processes run different numbers of batches, or from a last round that even_batches(false)
  /// leaves short.
  bool evaluation = false;
  /// No batch comes after this one in the pass over the loader, on any process.
  bool last = false;

  /// The factor that makes a sum over the processes out of a mean over local rows: local / all,
  /// and zero for a repeated share.
  double fraction() const {
    return repeated ? 0.0 : static_cast<double>(local_rows) / static_cast<double>(all_rows);
  }
};

namespace detail {

class State;

/// What a loader needs to know of the processes.
struct LoaderContext {
  int rank = 0;
  int size = 1;
  bool split_batches = false;
  std::optional<bool> even_batches;
  std::optional<bool> dispatch_batches;
  bool non_blocking = false;
  /// Somebody asks for the rows of a batch on one process: windows have several micro-batches.
  bool accumulates = false;
};
LoaderContext loader_context(const State& state);

/// Replaces `words` on every process by those of process 0. A collective.
void follow_main_process(State& state, std::vector<int64_t>& words);

/// One pass over a loader: while it lives, the share it announced last is the current one, unless a
/// pass begun later is announced after it. Ends with its destruction, so that leaving a loop early
/// leaves nothing stale. To be used by the thread that runs the loop.
class LoopShare {
public:
  explicit LoopShare(std::shared_ptr<State> state) : state_(std::move(state)) {}
  LoopShare(const LoopShare&) = delete;
  LoopShare& operator=(const LoopShare&) = delete;
  ~LoopShare() { end(); }

  void announce(const Share& share);
  /// Between two batches: takes the share back, and the pass goes on.
  void pause();
  void end();

private:
  std::shared_ptr<State> state_;
};

} // namespace detail
} // namespace accel
