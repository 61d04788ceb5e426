// Sums of tensors that lie in memory shared by the processes of a machine: each process has a copy
// of every tensor there, and each adds up a slice of it over all copies, in place.
#pragma once

#include "comm/futex.h"
#include "comm/group.h"
#include "comm/neighbours.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace accel::detail {

/// A collective that runs by itself, as far as a shared reduction knows it.
class Exchange {
public:
  virtual ~Exchange() = default;
  /// Whether it is done, after at most `most`. Throws where it failed.
  virtual bool wait_for(std::chrono::milliseconds most) = 0;
};

/// Where tensors lie in a process's region of the memory.
struct SharedLayout {
  explicit SharedLayout(const std::vector<Extent>& extents);
  std::vector<Extent> extents;
  std::vector<size_t> offsets;
  /// `processes`: of the job, more than which don't share one memory.
  MemoryPlan plan(size_t processes) const;

private:
  size_t bytes_ = 0;
};

/// The reductions of one group, in the order of their launches, which is the same on all processes.
///
/// A process has a seat in the memory's head with counters that only it writes. It launches
/// reduction n by setting `ready` to n: its copy is whole, and the others may read and write it.
/// When all are ready, it adds up its slice over all copies in the order of the processes, writes
/// the sum to all of them, and sets `done` to n. When all are done, nobody touches its copy any
/// more, and it may go on, even to the next launch of the same tensor. No counter is reset, so none
/// can be missed by a process that is slow. (Release stores and acquire loads of the counters order
/// the accesses to the tensors.)
///
/// With several machines the sums go to the copy of the leader alone, the machine's first process.
/// When all are done, it sums them over the leaders (Exchange), sets `across` to n, and the others
/// copy the result and set `copied`; the leader goes on when all have.
///
/// Nothing runs by itself: whatever can be done is done at each launch and in wait(). Not thread
/// safe.
class SharedReduction {
public:
  /// Starts the sum of the leaders' tensors.
  using Across = std::function<std::unique_ptr<Exchange>(const torch::Tensor&)>;

  /// `across` is called on leaders, with more than one of them.
  SharedReduction(SharedLayout layout, Neighbours neighbours, int rank, size_t processes,
                  std::chrono::milliseconds timeout, Across across);
  SharedReduction(const SharedReduction&) = delete;
  SharedReduction& operator=(const SharedReduction&) = delete;
  ~SharedReduction() = default;

  /// This process's tensors, over its region; they keep the memory alive.
  std::vector<torch::Tensor> tensors() const;
  /// The position of a tensor that tensors() returned; -1 for any other.
  int64_t find(const torch::Tensor& tensor) const;

  /// Starts the sum of a tensor; returns its number.
  uint32_t launch(size_t extent);
  /// Waits for it. Throws c10::Error that names the processes where some are gone or don't come
  /// within the timeout.
  void wait(uint32_t number, const std::string& what, std::chrono::milliseconds limit);

  /// Called about every second of a long wait; what it throws ends the wait.
  void on_long_wait(std::function<void()> call) { on_long_wait_ = std::move(call); }

  /// Tells the others that this process will take part no more; `failed`: because of an error.
  void leave(bool failed);

private:
  struct Seat;
  using Counter = Word Seat::*;

  Seat& seat(size_t local) const;
  Word& order(size_t local, uint32_t number) const;
  std::byte* region(size_t local) const;
  torch::Tensor tensor(size_t local, size_t extent) const;
  bool is_leader() const { return me_ == 0; }
  bool one_machine() const { return neighbours_.leaders.size() == 1; }

  bool all_reached(Counter counter, uint32_t number) const;
  void post(Word& word, uint32_t number);
  bool complete(uint32_t number) const;
  bool advance();
  bool advance_across();
  void finish_across();
  void add_slice(uint32_t number);
  void copy_from_leader(uint32_t number);

  struct Obstacle;
  Obstacle first_missing(Counter counter, uint32_t number) const;
  Obstacle obstacle(uint32_t number) const;
  void sleep(const Obstacle& obstacle);
  bool owes(size_t local, uint32_t number) const;
  void check_others(uint32_t number, const std::string& what, bool alive) const;
  std::string who_is_late(uint32_t number) const;

  SharedLayout layout_;
  Neighbours neighbours_;
  size_t me_;
  size_t processes_;
  std::chrono::milliseconds timeout_;
  Across across_;
  MemoryPlan plan_;
  int spins_;
  std::function<void()> on_long_wait_;
  // The sum over the leaders that is under way.
  std::unique_ptr<Exchange> exchange_;
  // The last number that this process launched, added its slice of, and has the whole sum of.
  uint32_t launched_ = 0;
  uint32_t added_ = 0;
  uint32_t across_machines_ = 0;
};

} // namespace accel::detail
