#include "comm/shared_reduction.h"

#include "comm/shared_sum.h"

#include <algorithm>
#include <sched.h>
#include <sstream>
#include <unistd.h>
#include <utility>

namespace accel::detail {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t line = 64; // bytes: a cache line, of which two processes must not write parts
// How long a process sleeps before it looks whether the others live, and how long a wait is long.
constexpr auto slice = std::chrono::milliseconds(100);
constexpr auto long_wait = std::chrono::seconds(1);
// Looks at a word before sleeping: some 100 µs, more than it takes to sleep and be woken.
constexpr int most_spins = 4000;

size_t round_up(size_t value, size_t unit) {
  return (value + unit - 1) / unit * unit;
}

size_t page_size() {
  return static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

// Spinning helps only where the process that is waited for has a core of its own. One that may run
// on a single core counts as pinned to it, and the others to others.
int spins_for(size_t local) {
  cpu_set_t mine;
  const int allowed = sched_getaffinity(0, sizeof(mine), &mine) == 0 ? CPU_COUNT(&mine) : 1;
  const auto cores = static_cast<size_t>(allowed > 1 ? allowed : sysconf(_SC_NPROCESSORS_ONLN));
  return local <= cores ? most_spins : 0;
}

// Counters run over; their distance doesn't.
bool reached(uint32_t value, uint32_t number) {
  return static_cast<int32_t>(value - number) >= 0;
}

enum class Presence : uint32_t { Here, Left, Failed };

} // namespace

struct alignas(line) SharedReduction::Seat {
  Word ready;
  Word done;
  Word across;
  Word copied;
  Word presence;
  // How many processes sleep on one of these words, or did when they were killed.
  Word sleepers;
};

// What a process waits for: another's counter to reach a number; none: the sum over the leaders.
struct SharedReduction::Obstacle {
  size_t local = 0;
  Counter counter = nullptr;
  uint32_t number = 0;
};

SharedLayout::SharedLayout(const std::vector<Extent>& wanted) : extents(wanted) {
  for (const Extent& extent : extents) {
    offsets.push_back(bytes_);
    bytes_ += round_up(extent.bytes(), line);
  }
}

MemoryPlan SharedLayout::plan(size_t processes) const {
  // A seat is a line, and the order of the launches a word for each tensor.
  const size_t head = processes * (line + extents.size() * sizeof(Word));
  return {round_up(head, page_size()), round_up(bytes_, page_size())};
}

SharedReduction::SharedReduction(SharedLayout layout, Neighbours neighbours, int rank,
                                 size_t processes, std::chrono::milliseconds timeout, Across across)
    : layout_(std::move(layout)), neighbours_(std::move(neighbours)), processes_(processes),
      timeout_(timeout), across_(std::move(across)), plan_(layout_.plan(processes)),
      spins_(spins_for(neighbours_.local.size())) {
  static_assert(sizeof(Seat) == line);
  const auto& local = neighbours_.local;
  me_ = static_cast<size_t>(std::find(local.begin(), local.end(), rank) - local.begin());
}

SharedReduction::Seat& SharedReduction::seat(size_t local) const {
  return reinterpret_cast<Seat*>(neighbours_.memory->data())[local];
}

// Which tensor a launch is of. A word is used again by the launch as many later as there are
// tensors; by then all processes have read it, since some tensor was launched twice in between.
Word& SharedReduction::order(size_t local, uint32_t number) const {
  auto* words = reinterpret_cast<Word*>(neighbours_.memory->data() + processes_ * sizeof(Seat));
  const size_t tensors = layout_.extents.size();
  return words[local * tensors + number % tensors];
}

std::byte* SharedReduction::region(size_t local) const {
  return neighbours_.memory->data() + plan_.head + local * plan_.region;
}

torch::Tensor SharedReduction::tensor(size_t local, size_t extent) const {
  const Extent& what = layout_.extents[extent];
  auto keep = [memory = neighbours_.memory](void*) {};
  return torch::from_blob(region(local) + layout_.offsets[extent], {what.numel}, std::move(keep),
                          torch::TensorOptions(what.dtype));
}

std::vector<torch::Tensor> SharedReduction::tensors() const {
  std::vector<torch::Tensor> all;
  for (size_t extent = 0; extent < layout_.extents.size(); ++extent) {
    all.push_back(tensor(me_, extent));
  }
  return all;
}

int64_t SharedReduction::find(const torch::Tensor& tensor) const {
  const std::less<const std::byte*> before;
  const auto* data = static_cast<const std::byte*>(tensor.data_ptr());
  const std::byte* mine = region(me_);
  if (!tensor.is_cpu() || before(data, mine) || !before(data, mine + plan_.region)) {
    return -1;
  }
  const auto& offsets = layout_.offsets;
  const auto wanted = static_cast<size_t>(data - mine);
  const auto offset = std::lower_bound(offsets.begin(), offsets.end(), wanted);
  if (offset == offsets.end() || *offset != wanted) {
    return -1;
  }
  const auto position = offset - offsets.begin();
  const Extent& extent = layout_.extents[static_cast<size_t>(position)];
  const bool whole = tensor.numel() == extent.numel && tensor.scalar_type() == extent.dtype &&
                     tensor.is_contiguous();
  return whole ? position : -1;
}

bool SharedReduction::all_reached(Counter counter, uint32_t number) const {
  for (size_t local = 0; local < neighbours_.local.size(); ++local) {
    if (!reached((seat(local).*counter).load(std::memory_order_acquire), number)) {
      return false;
    }
  }
  return true;
}

// Sequentially consistent, as are the sleeper's steps: either it sees the number, or this sees it.
void SharedReduction::post(Word& word, uint32_t number) {
  word.store(number);
  if (seat(me_).sleepers.load() != 0) {
    wake_all(word);
  }
}

uint32_t SharedReduction::launch(size_t extent) {
  ++launched_;
  order(me_, launched_).store(static_cast<uint32_t>(extent), std::memory_order_relaxed);
  post(seat(me_).ready, launched_);
  advance();
  return launched_;
}

// Does what can be done; whether that was anything.
bool SharedReduction::advance() {
  bool moved = false;
  while (added_ != launched_ && all_reached(&Seat::ready, added_ + 1)) {
    add_slice(added_ + 1);
    post(seat(me_).done, ++added_);
    moved = true;
  }
  return !one_machine() && advance_across() ? true : moved;
}

void SharedReduction::add_slice(uint32_t number) {
  const size_t extent = order(me_, number).load(std::memory_order_relaxed);
  const size_t processes = neighbours_.local.size();
  TORCH_INTERNAL_ASSERT(processes > 0);
  std::vector<std::byte*> copies;
  for (size_t local = 0; local < processes; ++local) {
    const size_t theirs = order(local, number).load(std::memory_order_relaxed);
    TORCH_CHECK(theirs == extent, "accel: the processes reduce different gradients: process ",
                neighbours_.local[me_], " bucket ", extent, ", process ", neighbours_.local[local],
                " bucket ", theirs);
    copies.push_back(region(local) + layout_.offsets[extent]);
  }
  const Extent& what = layout_.extents[extent];
  const auto numel = static_cast<size_t>(what.numel);
  const size_t share =
      round_up((numel + processes - 1) / processes, line / c10::elementSize(what.dtype));
  const auto sums =
      one_machine() ? copies : std::vector<std::byte*>(copies.begin(), copies.begin() + 1);
  sum_in_order(what.dtype, copies, sums, std::min(numel, me_ * share),
               std::min(numel, (me_ + 1) * share));
}

bool SharedReduction::advance_across() {
  bool moved = false;
  if (!is_leader()) {
    while (across_machines_ != launched_ &&
           reached(seat(0).across.load(std::memory_order_acquire), across_machines_ + 1)) {
      copy_from_leader(across_machines_ + 1);
      post(seat(me_).copied, ++across_machines_);
      moved = true;
    }
    return moved;
  }
  // One at a time, so that a leader's order is that of the launches.
  while (exchange_ ||
         (across_machines_ != launched_ && all_reached(&Seat::done, across_machines_ + 1))) {
    if (!exchange_) {
      exchange_ = across_(tensor(0, order(0, across_machines_ + 1).load()));
    }
    if (!exchange_->wait_for({})) {
      break;
    }
    finish_across();
    moved = true;
  }
  return moved;
}

void SharedReduction::finish_across() {
  exchange_.reset();
  ++across_machines_;
  post(seat(me_).across, across_machines_);
  post(seat(me_).copied, across_machines_);
}

void SharedReduction::copy_from_leader(uint32_t number) {
  const size_t extent = order(me_, number).load(std::memory_order_relaxed);
  const size_t offset = layout_.offsets[extent];
  const std::byte* from = region(0) + offset;
  std::copy(from, from + layout_.extents[extent].bytes(), region(me_) + offset);
}

// Whether nobody will touch this process's copy any more.
bool SharedReduction::complete(uint32_t number) const {
  if (one_machine()) {
    return all_reached(&Seat::done, number);
  }
  return is_leader() ? reached(across_machines_, number) && all_reached(&Seat::copied, number)
                     : reached(across_machines_, number);
}

SharedReduction::Obstacle SharedReduction::first_missing(Counter counter, uint32_t number) const {
  size_t local = 0;
  while (local + 1 < neighbours_.local.size() &&
         reached((seat(local).*counter).load(std::memory_order_acquire), number)) {
    ++local;
  }
  return {local, counter, number};
}

SharedReduction::Obstacle SharedReduction::obstacle(uint32_t number) const {
  if (!reached(added_, number)) {
    return first_missing(&Seat::ready, added_ + 1);
  }
  if (one_machine()) {
    return first_missing(&Seat::done, number);
  }
  if (!is_leader()) {
    return {0, &Seat::across, across_machines_ + 1};
  }
  if (exchange_) {
    return {};
  }
  return reached(across_machines_, number) ? first_missing(&Seat::copied, number)
                                           : first_missing(&Seat::done, across_machines_ + 1);
}

void SharedReduction::sleep(const Obstacle& obstacle) {
  if (obstacle.counter == nullptr) {
    if (exchange_->wait_for(slice)) {
      finish_across();
    }
    return;
  }
  Seat& other = seat(obstacle.local);
  const Word& word = other.*obstacle.counter;
  const uint32_t seen = word.load();
  if (reached(seen, obstacle.number) || spin_while(word, seen, spins_)) {
    return;
  }
  other.sleepers.fetch_add(1);
  if (word.load() == seen && other.presence.load() == static_cast<uint32_t>(Presence::Here)) {
    sleep_while(word, seen, slice);
  }
  other.sleepers.fetch_sub(1);
}

void SharedReduction::wait(uint32_t number, const std::string& what,
                           std::chrono::milliseconds limit) {
  const auto most = limit.count() > 0 ? std::min(limit, timeout_) : timeout_;
  const auto end = Clock::now() + most;
  auto next_look = Clock::now() + slice;
  auto next_call = Clock::now() + long_wait;
  try {
    for (advance(); !complete(number); advance()) {
      sleep(obstacle(number));
      const auto now = Clock::now();
      // A look at the locks is a system call for each process.
      check_others(number, what, now >= next_look);
      if (now < next_look) {
        continue;
      }
      next_look = now + slice;
      TORCH_CHECK(now < end, "accel: ", what, " failed: ", who_is_late(number), " within ",
                  static_cast<double>(most.count()) / 1000,
                  " s. Each is stuck, stopped, slow, or took another way through the program.");
      if (on_long_wait_ && now >= next_call) {
        next_call = now + long_wait;
        on_long_wait_();
      }
    }
  } catch (...) {
    leave(true);
    throw;
  }
}

// Whether a reduction can't be complete here without something that the process has yet to do.
bool SharedReduction::owes(size_t local, uint32_t number) const {
  const Seat& other = seat(local);
  if (!reached(other.done.load(std::memory_order_acquire), number)) {
    return true;
  }
  if (one_machine()) {
    return false;
  }
  return is_leader() ? !reached(other.copied.load(std::memory_order_acquire), number)
                     : local == 0 && !reached(other.across.load(std::memory_order_acquire), number);
}

void SharedReduction::check_others(uint32_t number, const std::string& what, bool alive) const {
  const size_t processes = neighbours_.local.size();
  const auto is = [&](size_t local, Presence presence) {
    return seat(local).presence.load() == static_cast<uint32_t>(presence);
  };
  // A process that gave up may have done so because of another that is gone: that one is named.
  for (size_t local = 0; local < processes; ++local) {
    alive = alive || is(local, Presence::Failed);
  }
  for (size_t local = 0; local < processes; ++local) {
    const bool left = is(local, Presence::Left);
    const bool gone = local != me_ && alive && !is(local, Presence::Failed) &&
                      !neighbours_.memory->is_alive(static_cast<int>(local));
    // Asked last: what a process did before it went is seen by now.
    TORCH_CHECK(!(left || gone) || !owes(local, number), "accel: ", what, " failed: process ",
                neighbours_.local[local],
                left ? " ended or destroyed its optimizer without coming to it"
                     : " is gone: it ended early, crashed or was killed");
  }
  for (size_t local = 0; local < processes; ++local) {
    TORCH_CHECK(local == me_ || !is(local, Presence::Failed) || !owes(local, number),
                "accel: ", what, " failed: process ", neighbours_.local[local],
                " gave up or ended early (see its output); ", who_is_late(number));
  }
}

std::string SharedReduction::who_is_late(uint32_t number) const {
  std::ostringstream out;
  const auto list = [&](Counter counter) {
    for (size_t local = 0; local < neighbours_.local.size(); ++local) {
      if (!reached((seat(local).*counter).load(std::memory_order_acquire), number)) {
        out << (out.tellp() > 0 ? ", " : "process ") << neighbours_.local[local];
      }
    }
  };
  list(&Seat::ready);
  if (out.tellp() > 0) {
    out << " did not come to it";
    return out.str();
  }
  list(&Seat::done);
  if (out.tellp() > 0) {
    out << " came to it and did not do its part";
    return out.str();
  }
  return "the processes on other machines did not finish it";
}

void SharedReduction::leave(bool failed) {
  Seat& mine = seat(me_);
  mine.presence.store(static_cast<uint32_t>(failed ? Presence::Failed : Presence::Left));
  for (const Counter counter : {&Seat::ready, &Seat::done, &Seat::across, &Seat::copied}) {
    wake_all(mine.*counter);
  }
}

} // namespace accel::detail
