#include "comm/join.h"

#include "comm/meeting.h"
#include "comm/reason.h"
#include "comm/rendezvous.h"
#include "state/launcher_process.h"

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <torch/version.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace accel::detail {
namespace {

c10d::TCPStoreOptions store_options(const Environment& environment,
                                    std::chrono::milliseconds timeout) {
  c10d::TCPStoreOptions options;
  options.port = static_cast<uint16_t>(environment.master_port);
  // torchrun's agent runs the store itself: then every process is a client, process 0 too.
  options.isServer = environment.rank == 0 && !environment.agent_store;
  options.waitWorkers = !environment.agent_store;
  if (!environment.agent_store) {
    options.numWorkers = static_cast<std::size_t>(environment.size);
  }
  options.timeout = timeout;
  return options;
}

c10::intrusive_ptr<c10d::Store> open_store(const Environment& environment,
                                           std::chrono::milliseconds timeout) {
  return c10::make_intrusive<c10d::TCPStore>(environment.master_address,
                                             store_options(environment, timeout));
}

// The same where torchrun's agent serves the store. It runs already, so it must answer soon: one of
// another libtorch doesn't understand what it is asked, and never does.
c10::intrusive_ptr<c10d::Store> open_agents_store(const Environment& environment,
                                                  std::chrono::milliseconds timeout) {
  constexpr auto soon = std::chrono::milliseconds(std::chrono::seconds(30));
  auto store = open_store(environment, std::min(timeout, soon));
  const std::string key = "accel/answer/" + std::to_string(environment.rank);
  store->set(key, std::vector<uint8_t>{1});
  store->wait({key}, std::min(timeout, soon));
  store->setTimeout(timeout);
  return store;
}

// The same where process 0 takes any free port and tells it by a file.
c10::intrusive_ptr<c10d::Store> open_store_by_file(const Environment& environment,
                                                   std::chrono::milliseconds timeout) {
  const std::string launcher = launcher_identity(environment.rank_variables);
  if (launcher.empty()) {
    throw std::runtime_error("The process that started this one is not to be seen in /proc. Set "
                             "MASTER_ADDR and MASTER_PORT for all processes.");
  }
  Meeting meeting(launcher, environment.restart_count);
  auto options = store_options(environment, timeout);
  options.waitWorkers = false;
  options.port = environment.rank == 0 ? uint16_t{0} : static_cast<uint16_t>(meeting.wait(timeout));
  auto store = c10::make_intrusive<c10d::TCPStore>(environment.master_address, options);
  if (environment.rank == 0) {
    meeting.announce(store->getPort());
  }
  store->waitForWorkers();
  return store;
}

std::string place(const Environment& environment) {
  if (environment.meet_by_file) {
    return "on this machine";
  }
  return "at MASTER_ADDR=" + environment.master_address +
         ", MASTER_PORT=" + std::to_string(environment.master_port);
}

std::string advice(const Environment& environment) {
  if (environment.agent_store) {
    return "torchrun's agent runs the store there (TORCHELASTIC_USE_AGENT_STORE), so torchrun's "
           "torch must be of this program's version, " TORCH_VERSION
           ". Start the program with `accel launch` where it isn't. ";
  }
  return "Check that process 0 runs there, that all processes were started and that no other "
         "program uses the port. ";
}

} // namespace

std::shared_ptr<Rendezvous> join(const Environment& environment, std::chrono::milliseconds timeout,
                                 const torch::Device& device) {
  auto rendezvous = std::make_shared<Rendezvous>();
  try {
    rendezvous->store = environment.meet_by_file  ? open_store_by_file(environment, timeout)
                        : environment.agent_store ? open_agents_store(environment, timeout)
                                                  : open_store(environment, timeout);
  } catch (const std::exception& error) {
    throw std::runtime_error("accel: process " + std::to_string(environment.rank) + " of " +
                             std::to_string(environment.size) + " could not meet the others " +
                             place(environment) + ". " + advice(environment) + reason(error));
  }
  // After a restart the agent's store still has the keys of the run before.
  rendezvous->store = c10::make_intrusive<c10d::PrefixStore>(
      "accel/" + std::to_string(environment.restart_count), rendezvous->store);
  rendezvous->rank = environment.rank;
  rendezvous->size = environment.size;
  rendezvous->timeout = timeout;
  rendezvous->device = device;
  rendezvous->watch =
      std::make_unique<Watch>(rendezvous->store, environment.rank, environment.size);
  rendezvous->master_address = environment.master_address;
  rendezvous->shared_memory = environment.shared_memory;
  if (const char* interfaces = std::getenv("GLOO_SOCKET_IFNAME")) {
    rendezvous->interfaces = interfaces;
  }
  return rendezvous;
}

} // namespace accel::detail
