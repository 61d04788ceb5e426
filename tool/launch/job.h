#pragma once

#include "guard.h"
#include "plan.h"
#include "process.h"
#include "relay.h"
#include "signals.h"

#include <chrono>
#include <list>
#include <memory>
#include <optional>

namespace accel::launch {

/// How a job ended.
struct JobResult {
  int exit_code = 0;
  int ended_by_signal = 0; ///< a signal to the launcher that made ranks end, or 0
};

/// The ranks of this machine, from start to end. Whatever happens, none outlives the job.
class Job {
public:
  /// Starts all ranks. Throws Error where one can't start.
  explicit Job(const Plan& plan);
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  JobResult run();

private:
  using Clock = std::chrono::steady_clock;
  struct Rank {
    int number;
    Process process;
  };

  void start_rank(const RankPlan& plan);
  void add_output(int rank, ProcessSpec& spec, std::list<FileDescriptor>& child_ends);
  void wait(bool for_output) const;
  void answer_signals();
  void answer(int signal);
  void stop_and_continue();
  void note_failure();
  void begin_end(int signal);
  void signal_all(int signal) const;
  bool all_ended();
  bool output_is_done() const;
  bool past_deadline() const { return deadline_ && Clock::now() >= *deadline_; }
  void end_groups();
  JobResult result() const;

  const Plan& plan_;
  Signals signals_;
  Relay relay_;
  std::list<Rank> ranks_;
  std::unique_ptr<Guard> guard_;
  std::optional<ExitStatus> failure_;         ///< of the first rank that failed
  int signal_ = 0;                            ///< the first that the launcher got
  Clock::time_point signal_time_;             ///< when it got it
  std::optional<Clock::time_point> deadline_; ///< when what is left is killed
};

} // namespace accel::launch
