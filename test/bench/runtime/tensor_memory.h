// Counting the bytes of tensors on the CPU.
#pragma once

#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <algorithm>
#include <cstdint>
#include <memory>

namespace bench {

/// While it lives, counts what this thread's tensors take in the memory of libtorch's allocator.
/// What another thread frees (Gloo's, after a broadcast) isn't seen, so only differences count.
class TensorMemory {
public:
  TensorMemory()
      : counter_(std::make_shared<Counter>()),
        guard_(c10::DebugInfoKind::PROFILER_STATE, counter_) {}

  /// Begins anew: what is alive now counts as nothing.
  void restart() { counter_->alive = counter_->peak = 0; }
  /// The most that was alive beyond what was at restart().
  int64_t peak() const { return counter_->peak; }

private:
  struct Counter : c10::MemoryReportingInfoBase {
    void reportMemoryUsage(void* /*pointer*/, int64_t bytes, size_t /*total_allocated*/,
                           size_t /*total_reserved*/, c10::Device /*device*/) override {
      alive += bytes;
      peak = std::max(peak, alive);
    }
    bool memoryProfilingEnabled() const override { return true; }
    int64_t alive = 0;
    int64_t peak = 0;
  };
  std::shared_ptr<Counter> counter_;
  c10::DebugInfoGuard guard_;
};

} // namespace bench
