#include <accel/process_state.h>

#include "ops/collectives.h"
#include "output/output.h"
#include "state/state.h"

#include <cstdarg>
#include <cstdio>
#include <iostream>

namespace accel {

ProcessState::ProcessState(AcceleratorOptions options) : state_(detail::State::get(options)) {}

int ProcessState::process_index() const {
  return state_->rank();
}
int ProcessState::local_process_index() const {
  return state_->environment().local_rank;
}
int ProcessState::num_processes() const {
  return state_->size();
}
DistributedType ProcessState::distributed_type() const {
  if (state_->size() == 1) {
    return DistributedType::No;
  }
  return state_->device().is_cuda() ? DistributedType::MultiGpu : DistributedType::MultiCpu;
}
std::ostream& operator<<(std::ostream& out, DistributedType type) {
  return out << (type == DistributedType::No         ? "NO"
                 : type == DistributedType::MultiCpu ? "MULTI_CPU"
                                                     : "MULTI_GPU");
}
bool ProcessState::is_main_process() const {
  return state_->rank() == 0;
}
bool ProcessState::is_local_main_process() const {
  return local_process_index() == 0;
}
bool ProcessState::is_last_process() const {
  return state_->rank() == state_->size() - 1;
}
torch::Device ProcessState::device() const {
  return state_->device();
}
bool ProcessState::split_batches() const {
  return state_->split_batches();
}

void ProcessState::wait_for_everyone() const {
  detail::wait_for_everyone(*state_);
}

std::ostream& ProcessState::cout() const {
  return is_main_process() ? std::cout : detail::null_stream();
}

int ProcessState::printf(const char* format, ...) const {
  if (!is_main_process()) {
    return 0;
  }
  va_list arguments;
  va_start(arguments, format);
  const int written = std::vprintf(format, arguments);
  va_end(arguments);
  return written;
}

void ProcessState::save_file(const std::string& path,
                             const std::function<void(const std::string&)>& write) const {
  detail::save_atomically(*state_, path, write);
}

} // namespace accel
