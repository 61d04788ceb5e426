// What the tests of shared memory have in common.
#pragma once

#include "models.h"

#include "comm/group.h"
#include "state/state.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

namespace accel_test {

using accel::Sum;
using accel::detail::Extent;
using accel::detail::Group;
using std::chrono::milliseconds;
using std::chrono::seconds;

inline std::unique_ptr<Group> make_group(const accel::AcceleratorOptions& options = {}) {
  return accel::detail::State::get(options)->new_group("test");
}

inline std::vector<Extent> floats(const std::vector<int64_t>& sizes) {
  std::vector<Extent> extents;
  for (const int64_t size : sizes) {
    extents.push_back({size});
  }
  return extents;
}

// What process `process` has for a tensor in a step: anything, but known to all.
inline torch::Tensor addend(const Extent& extent, int process, int64_t step) {
  torch::manual_seed(static_cast<uint64_t>(extent.numel * 1000 + step * 10 + process));
  const auto real = c10::isComplexType(extent.dtype) ? extent.dtype : torch::kFloat;
  return torch::randn({extent.numel}, torch::TensorOptions(real)).to(extent.dtype);
}

inline torch::Tensor sum_in_order(const Extent& extent, int64_t step) {
  const bool half = c10::elementSize(extent.dtype) == 2;
  const auto dtype = half ? torch::kFloat : extent.dtype;
  torch::Tensor sum = addend(extent, 0, step).to(dtype);
  for (int process = 1; process < processes(); ++process) {
    sum = sum + addend(extent, process, step).to(dtype);
  }
  return sum.to(extent.dtype);
}

inline void reduce_all(Group& group, const std::vector<torch::Tensor>& tensors) {
  std::vector<accel::detail::Pending> pending;
  pending.reserve(tensors.size());
  for (const auto& tensor : tensors) {
    pending.push_back(group.all_reduce(tensor, Sum));
  }
  for (auto& one : pending) {
    one.wait("a reduction");
  }
}

// Ends a process whose group may be broken, without leaving it in order.
[[noreturn]] inline void end_process() {
  std::fflush(nullptr);
  std::_Exit(testing::Test::HasFailure() ? 1 : 0);
}

// Processes that take turns at being late, and write to their tensors as soon as they may.
inline void race(Group& group, const std::vector<torch::Tensor>& tensors, int steps) {
  for (int step = 0; step < steps; ++step) {
    if (step % 7 == rank()) {
      std::this_thread::sleep_for(std::chrono::microseconds(step * 13 % 500));
    }
    std::vector<accel::detail::Pending> pending;
    for (const auto& tensor : tensors) {
      tensor.fill_(step + rank());
      pending.push_back(group.all_reduce(tensor, Sum));
    }
    for (size_t i = 0; i < tensors.size(); ++i) {
      pending[i].wait("a reduction");
      const int expected = processes() * step + processes() * (processes() - 1) / 2;
      ASSERT_EQ(tensors[i].min().item<int>(), expected) << "step " << step << ", tensor " << i;
      ASSERT_EQ(tensors[i].max().item<int>(), expected) << "step " << step << ", tensor " << i;
    }
  }
}

} // namespace accel_test
