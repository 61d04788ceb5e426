#include "comm/neighbours.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <type_traits>
#include <utility>

namespace accel::detail {
namespace {

// What a process tells the others, the same form each time.
struct Message {
  SharedMemory::Address address;
  MemoryPlan plan;
  SharedMemoryUse use = SharedMemoryUse::Auto;
  int32_t leader = 0;
  char machine[40] = {};
  char failure[240] = {}; // empty: none
};
static_assert(std::is_trivially_copyable_v<Message>);
using Messages = std::vector<Message>;

template <size_t size> void write(char (&field)[size], const std::string& text) {
  const size_t length = std::min(text.size(), size - 1);
  std::memcpy(field, text.data(), length);
  field[length] = '\0';
}

// Tests have the processes of one machine stand for those of several.
std::string simulated_machine() {
  const char* machine = std::getenv("ACCEL_TEST_MACHINE");
  return machine == nullptr ? "" : machine;
}

// The same in all containers of a machine, another on every machine and after every start of it.
std::string machine() {
  std::string id;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> id;
  const std::string simulated = simulated_machine();
  return simulated.empty() ? id : simulated;
}

Messages tell_all(Group& group, const Message& mine) {
  auto bytes = torch::empty({static_cast<int64_t>(sizeof(Message))}, torch::kByte);
  std::memcpy(bytes.data_ptr(), &mine, sizeof(Message));
  const auto all = group.all_gather(bytes, "setting up shared memory");
  Messages messages(static_cast<size_t>(all.size(0)));
  std::memcpy(static_cast<void*>(messages.data()), all.data_ptr(),
              messages.size() * sizeof(Message));
  return messages;
}

// "process 1: no room", of the first process that failed; empty where none did.
std::string first_failure(const Messages& messages) {
  for (size_t rank = 0; rank < messages.size(); ++rank) {
    if (messages[rank].failure[0] != '\0') {
      return "process " + std::to_string(rank) + ": " + messages[rank].failure;
    }
  }
  return "";
}

bool may_share(const Message& a, const Message& b) {
  return simulated_machine().empty() || std::strcmp(a.machine, b.machine) == 0;
}

// Runs one step; what it throws becomes what this process tells the others.
template <class Step> void attempt(Message& mine, Step&& step) {
  try {
    step();
  } catch (const std::exception& error) {
    write(mine.failure, error.what());
  }
}

size_t file_size(const MemoryPlan& plan, size_t processes) {
  return plan.head + plan.region * processes;
}

// Opens the memory of the lowest process that this one can reach, its own at the latest.
std::shared_ptr<SharedMemory> open_lowest(const Messages& offers, int rank, Message& mine) {
  for (size_t other = 0; other <= static_cast<size_t>(rank); ++other) {
    if (may_share(offers[other], mine)) {
      if (auto memory = SharedMemory::open(offers[other].address)) {
        mine.leader = static_cast<int32_t>(other);
        return memory;
      }
    }
  }
  write(mine.failure, "can't open its own shared memory through /proc");
  return nullptr;
}

// Why the sets of processes with one leader can't be used; empty where they can. `result`: filled.
std::string find_sets(const Messages& messages, int rank, Neighbours& result) {
  std::string alone;
  for (size_t other = 0; other < messages.size(); ++other) {
    const int leader = messages[other].leader;
    if (messages[static_cast<size_t>(leader)].leader != leader) {
      return "process " + std::to_string(other) + " reaches the memory of process " +
             std::to_string(leader) + ", which uses another's";
    }
    if (leader == messages[static_cast<size_t>(rank)].leader) {
      result.local.push_back(static_cast<int>(other));
    }
    if (leader == static_cast<int>(other)) {
      result.leaders.push_back(leader);
      for (size_t before = 0; before < other; ++before) {
        if (alone.empty() && messages[before].machine[0] != '\0' &&
            std::strcmp(messages[before].machine, messages[other].machine) == 0) {
          alone = "processes " + std::to_string(before) + " and " + std::to_string(other) +
                  " are on one machine, but can't reach each other's memory through /proc: they "
                  "run as different users or in containers that don't share a PID namespace";
        }
      }
    }
  }
  // Nothing to share is an obstacle only on one machine.
  return result.leaders.size() == messages.size() ? alone : "";
}

void attach(SharedMemory& memory, const Neighbours& neighbours, int rank, const MemoryPlan& plan) {
  const auto& local = neighbours.local;
  const auto position =
      static_cast<size_t>(std::find(local.begin(), local.end(), rank) - local.begin());
  // Each process allocates its own region, so that it lies near to the cores that fill it.
  memory.reserve(plan.head + position * plan.region, plan.region);
  if (position == 0) {
    memory.reserve(0, plan.head);
  }
  memory.map(file_size(plan, local.size()));
  memory.populate(plan.head + position * plan.region, plan.region);
  memory.mark_alive(static_cast<int>(position));
}

// The steps up to the memory; what this returns is the same on all processes.
Neighbours try_to_attach(Group& group, int rank, Message& mine, const Messages& offers) {
  Neighbours result;
  auto memory = open_lowest(offers, rank, mine);
  const Messages choices = tell_all(group, mine);
  result.obstacle = first_failure(choices);
  if (result.obstacle.empty()) {
    result.obstacle = find_sets(choices, rank, result);
  }
  if (!result.obstacle.empty() || result.leaders.size() == choices.size()) {
    return result;
  }
  attempt(mine, [&] { attach(*memory, result, rank, mine.plan); });
  result.obstacle = first_failure(tell_all(group, mine));
  if (result.obstacle.empty()) {
    result.memory = std::move(memory);
  }
  return result;
}

} // namespace

Neighbours attach_neighbours(Group& group, int rank, SharedMemoryUse use, const MemoryPlan& plan) {
  Message mine;
  mine.plan = plan;
  mine.use = use;
  std::shared_ptr<SharedMemory> offered;
  attempt(mine, [&] { write(mine.machine, machine()); });
  // How many will share is not known yet; what isn't used takes no room.
  attempt(mine, [&] {
    if (use != SharedMemoryUse::Off) {
      offered = SharedMemory::create(file_size(plan, static_cast<size_t>(group.size())));
      mine.address = offered->address();
    }
  });
  const Messages offers = tell_all(group, mine);
  bool insists = false;
  bool off = false;
  for (const Message& offer : offers) {
    TORCH_CHECK(offer.plan.head == plan.head && offer.plan.region == plan.region,
                "accel: the processes need shared memory of different sizes; the models differ");
    insists = insists || offer.use == SharedMemoryUse::On;
    off = off || offer.use == SharedMemoryUse::Off;
  }
  Neighbours result;
  if (off) {
    result.obstacle =
        insists ? "ACCEL_SHARED_MEMORY is off on some processes and on on others" : "";
  } else if (result.obstacle = first_failure(offers); result.obstacle.empty()) {
    result = try_to_attach(group, rank, mine, offers);
  }
  TORCH_CHECK(result.memory || !insists,
              "accel: ACCEL_SHARED_MEMORY=on, but the processes can't share memory: ",
              result.obstacle.empty() ? "each is on a machine of its own" : result.obstacle,
              ". Set it to auto to do without where it is impossible.");
  return result;
}

} // namespace accel::detail
