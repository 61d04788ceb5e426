// Joining the other processes.
#pragma once

#include "comm/group.h"
#include "state/environment.h"

#include <chrono>
#include <memory>

namespace accel::detail {

/// Meets the other processes at MASTER_ADDR:MASTER_PORT. Throws std::runtime_error that says what
/// was tried where that fails.
std::shared_ptr<Rendezvous> join(const Environment& environment, std::chrono::milliseconds timeout,
                                 const torch::Device& device);

} // namespace accel::detail
