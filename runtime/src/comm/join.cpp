#include "comm/join.h"

#include "comm/rendezvous.h"

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace accel::detail {
namespace {

c10::intrusive_ptr<c10d::Store> open_store(const Environment& environment,
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
  return c10::make_intrusive<c10d::TCPStore>(environment.master_address, options);
}

} // namespace

std::shared_ptr<Rendezvous> join(const Environment& environment, std::chrono::milliseconds timeout,
                                 const torch::Device& device) {
  auto rendezvous = std::make_shared<Rendezvous>();
  try {
    rendezvous->store = open_store(environment, timeout);
  } catch (const std::exception& error) {
    throw std::runtime_error(
        "accel: process " + std::to_string(environment.rank) + " of " +
        std::to_string(environment.size) + " could not meet the others at MASTER_ADDR=" +
        environment.master_address + ", MASTER_PORT=" + std::to_string(environment.master_port) +
        ". Check that process 0 runs there, that all processes were started and that no other "
        "program uses the port. " +
        error.what());
  }
  // After a restart the agent's store still has the keys of the run before.
  rendezvous->store = c10::make_intrusive<c10d::PrefixStore>(
      "accel/" + std::to_string(environment.restart_count), rendezvous->store);
  rendezvous->rank = environment.rank;
  rendezvous->size = environment.size;
  rendezvous->timeout = timeout;
  rendezvous->device = device;
  rendezvous->master_address = environment.master_address;
  rendezvous->shared_memory = environment.shared_memory;
  if (const char* interfaces = std::getenv("GLOO_SOCKET_IFNAME")) {
    rendezvous->interfaces = interfaces;
  }
  return rendezvous;
}

} // namespace accel::detail
