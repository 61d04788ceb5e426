// The passes over loaders that are under way.
#pragma once

#include <accel/share.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace accel::detail {

/// On several processes, passes announce the share of each batch; the one announced last is the
/// current one. On one process they announce nothing, and are asked. A batch that the program made
/// by hand belongs to no pass: its share holds until the next batch of a pass. For the thread that
/// runs the loops.
class Passes {
public:
  /// What a pass on one process answers about its current batch.
  struct Answers {
    std::function<bool()> at_end;
    std::function<int64_t()> rows;
  };

  void begin(const void* pass, Answers answers);
  void announce(const void* pass, const Share& share);
  /// Between two batches: the pass goes on, without a share for now.
  void pause(const void* pass);
  void end(const void* pass);
  void announce_by_hand(const Share& share) { by_hand_ = share; }
  /// A pass on one process yields a batch.
  void end_by_hand() { by_hand_.reset(); }

  /// The current share; nothing outside of loops, and on one process, unless by hand.
  std::optional<Share> share() const;
  /// The rows of the current batch over all processes; nothing outside of loops, unless by hand.
  std::optional<int64_t> rows() const;
  /// Whether the innermost loop is at its last batch, as far as its loader knows.
  bool at_end() const;
  /// A number that no other pass has; -1 outside of loops.
  int64_t number() const { return passes_.empty() ? -1 : passes_.back().number; }
  /// Batches announced by training loops so far: the same on processes that are in step.
  int64_t training_batches() const { return training_batches_; }

private:
  struct Pass {
    const void* id;
    int64_t number;
    Share share;
    Answers answers;
    bool paused = false;
  };
  std::vector<Pass> passes_;
  std::optional<Share> by_hand_;
  int64_t begun_ = 0;
  int64_t training_batches_ = 0;
};

} // namespace accel::detail
