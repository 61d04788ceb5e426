// What comm/ keeps of the meeting of the processes. Included by comm/ only.
#pragma once

#include "comm/watch.h"

#include <accel/options.h>

#include <torch/csrc/distributed/c10d/Store.hpp>

#include <chrono>
#include <memory>
#include <string>

namespace accel::detail {

struct Rendezvous {
  c10::intrusive_ptr<c10d::Store> store;
  int rank = 0;
  int size = 1;
  std::chrono::milliseconds timeout{};
  torch::Device device{torch::kCPU};
  std::string master_address;
  // Comma-separated, from GLOO_SOCKET_IFNAME; empty: chosen by the address.
  std::string interfaces;
  SharedMemoryUse shared_memory = SharedMemoryUse::Auto;
  // Whether the user was told why memory isn't shared.
  bool told = false;
  std::unique_ptr<Watch> watch;
};

} // namespace accel::detail
