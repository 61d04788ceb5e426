#include "job.h"

#include "error.h"
#include "stream.h"

#include <algorithm>
#include <fcntl.h>
#include <poll.h>

namespace accel::launch {
namespace {

using namespace std::chrono_literals;

/// `timeout` and others send a signal twice at once; a second request counts after this pause.
constexpr auto second_signal_pause = 500ms;
/// What a rank that ended well has left running gets this long to end.
constexpr auto leftover_grace = 1s;
/// After SIGKILL only a process that hangs in the kernel is left; nobody waits for it.
constexpr auto kill_wait = 1s;

/// Of failures seen at the same moment, the one that is least like an answer to another's: a rank
/// that lost a peer ends by an exception.
int likely_cause(const ExitStatus& status) {
  if (!status.killed)
    return 1;
  bool answer = status.value == SIGABRT || status.value == SIGPIPE || status.value == SIGTERM;
  return answer ? 0 : 2;
}

std::string describe(const ExitStatus& status) {
  return status.killed ? "was killed by " + signal_name(status.value)
                       : "exited with code " + std::to_string(status.value);
}

} // namespace

Job::Job(const Plan& plan) : plan_(plan) {
  adopt_orphans();
  for (const RankPlan& rank : plan.ranks)
    start_rank(rank);
  std::vector<pid_t> groups;
  for (const Rank& rank : ranks_)
    groups.push_back(rank.process.id());
  guard_ = std::make_unique<Guard>(groups);
  relay_.start();
}

Job::~Job() {
  for (Rank& rank : ranks_) {
    rank.process.signal_group(SIGKILL);
    rank.process.reap();
  }
}

void Job::start_rank(const RankPlan& plan) {
  ProcessSpec spec;
  spec.program = plan_.program;
  spec.arguments = plan_.arguments;
  spec.environment = with_variables(environ, plan.variables);
  std::list<FileDescriptor> child_ends;
  add_output(plan.rank, spec, child_ends);
  if (plan.rank > 0) { // one rank can read what is typed
    child_ends.emplace_back(open("/dev/null", O_RDONLY | O_CLOEXEC));
    spec.input = child_ends.back().get();
  }
  ranks_.push_back({plan.rank, Process(spec, signals_)});
}

void Job::add_output(int rank, ProcessSpec& spec, std::list<FileDescriptor>& child_ends) {
  std::string prefix = plan_.prefix ? "[" + std::to_string(rank) + "]: " : "";
  auto add = [&](int target) {
    Stream stream = open_stream(target);
    relay_.add(std::move(stream.read), target, prefix);
    child_ends.push_back(std::move(stream.write));
    return child_ends.back().get();
  };
  spec.output = add(STDOUT_FILENO);
  // One stream where both end in the same place keeps their order.
  spec.error = same_target(STDOUT_FILENO, STDERR_FILENO) ? spec.output : add(STDERR_FILENO);
}

JobResult Job::run() {
  for (bool ended = false; !ended && !past_deadline();) {
    wait(false);
    answer_signals();
    ended = all_ended();
    note_failure();
  }
  if (!all_ended() && !failure_)
    failure_ = ExitStatus{true, SIGKILL}; // in end_groups
  relay_.finish();
  if (deadline_)
    deadline_ = std::max(*deadline_, Clock::now() + 100ms);
  while (!output_is_done() && !past_deadline()) {
    wait(true);
    answer_signals();
  }
  end_groups();
  return result();
}

/// Until a signal comes, a rank ends or the deadline is there; or, `for_output`, that is done.
void Job::wait(bool for_output) const {
  pollfd polled[] = {{signals_.descriptor(), POLLIN, 0}, {relay_.done_descriptor(), POLLIN, 0}};
  int timeout = -1;
  if (deadline_) {
    auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline_ - Clock::now());
    timeout = static_cast<int>(std::max<long>(left.count(), 0));
  }
  poll(polled, for_output ? 2 : 1, timeout);
}

void Job::answer_signals() {
  while (std::optional<int> signal = signals_.next())
    answer(*signal);
}

void Job::answer(int signal) {
  if (signal == SIGCHLD)
    return;
  if (signal == SIGTSTP)
    return stop_and_continue();
  if (signal_ == 0) {
    report(signal_name(signal) + " received; ending the job");
    signal_ = signal;
    signal_time_ = Clock::now();
    begin_end(signal);
  } else if (Clock::now() - signal_time_ > second_signal_pause) {
    deadline_ = Clock::now();
  }
}

void Job::stop_and_continue() {
  signal_all(SIGSTOP);
  raise(SIGSTOP);
  signal_all(SIGCONT);
}

/// Finds the rank that failed first, once, and ends the others.
void Job::note_failure() {
  if (failure_)
    return;
  Rank* first = nullptr;
  ExitStatus cause;
  for (Rank& rank : ranks_) {
    ExitStatus status = rank.process.status().value_or(ExitStatus{});
    if (!status.ok() && (first == nullptr || likely_cause(status) > likely_cause(cause))) {
      first = &rank;
      cause = status;
    }
  }
  if (first == nullptr)
    return;
  failure_ = cause;
  if (signal_ != 0)
    return;
  report("rank " + std::to_string(first->number) + " " + describe(cause) + " (process " +
         std::to_string(first->process.id()) + "); ending the job");
  begin_end(SIGTERM);
}

void Job::begin_end(int signal) {
  signal_all(signal);
  signal_all(SIGCONT); // a stopped process takes no other
  auto grace = std::chrono::duration<double>(plan_.grace_seconds);
  auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(grace);
  deadline_ = deadline_ ? std::min(*deadline_, end) : end;
}

void Job::signal_all(int signal) const {
  for (const Rank& rank : ranks_)
    rank.process.signal_group(signal);
}

bool Job::all_ended() {
  return std::all_of(ranks_.begin(), ranks_.end(),
                     [](Rank& rank) { return rank.process.status().has_value(); });
}

bool Job::output_is_done() const {
  pollfd polled = {relay_.done_descriptor(), POLLIN, 0};
  return poll(&polled, 1, 0) == 1;
}

/// Ends what ranks left running, asked first, and gives their numbers back.
void Job::end_groups() {
  auto kill_time = deadline_.value_or(Clock::now() + leftover_grace);
  auto give_up_time = std::max(kill_time, Clock::now()) + kill_wait;
  signal_all(SIGTERM);
  while (!ranks_.empty() && Clock::now() < give_up_time) {
    if (Clock::now() >= kill_time)
      signal_all(SIGKILL);
    for (Rank& rank : ranks_)
      rank.process.reap_group();
    ranks_.remove_if([](const Rank& rank) { return !rank.process.group_is_alive(); });
    if (!ranks_.empty())
      poll(nullptr, 0, 10);
  }
  guard_.reset();
  ranks_.clear();
}

JobResult Job::result() const {
  JobResult result;
  if (failure_)
    result.exit_code = failure_->code();
  if (failure_ && signal_ != 0) {
    result.exit_code = 128 + signal_;
    result.ended_by_signal = signal_;
  }
  return result;
}

} // namespace accel::launch
