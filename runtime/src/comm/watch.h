// Finding out, where a wait for the other processes lasts, whether it can end at all.
#pragma once

#include <c10/util/Exception.h>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace accel::detail {

/// The processes wait for each other at different places.
class DifferentPlaces : public c10::Error {
public:
  using c10::Error::Error;
};

/// Every process passes the same *places*, points at which it exchanges something with all others,
/// in the same order. A process that waits long at its place tells the store, and reads there where
/// the others wait. If one waits at a place of the same number that is another one, each waits for
/// what the other will never do: that is an error with words, on both, and no hang.
///
/// Costs a counter where nothing waits long. For the thread that runs the training loop.
class Watch {
public:
  Watch(c10::intrusive_ptr<c10d::Store> store, int rank, int size);

  /// The process comes to its next place. `what` must be the same text on all processes.
  void arrive(const std::string& what);

  /// To be called about every `interval` while a wait lasts. Throws DifferentPlaces where another
  /// process waits at another place.
  void look();
  static constexpr std::chrono::milliseconds interval{1000};

  /// Where the processes are, as far as they told, a line each; for an error at the end of a wait.
  std::string whereabouts();

private:
  struct Note {
    int64_t place = -1; // -1: has not waited long so far
    int64_t beat = 0;
    std::string what;
  };
  void publish();
  void let_others_see();
  Note read(int rank);
  std::string text_of(int rank, const Note& note) const;

  c10::intrusive_ptr<c10d::Store> store_;
  int rank_;
  int64_t place_ = 0;
  int64_t beat_ = 0;
  std::string what_;
  std::vector<Note> seen_;
};

} // namespace accel::detail
