// What every C++ column does besides training: reads its options, waits at the gate, measures,
// reports a line of JSON.
#pragma once

#include "tensor_memory.h"

#include <torch/types.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#endif

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

struct Options {
  std::string model = "cnn";
  std::string trace; // a file for the trace; empty: none
  int64_t batch = 64;
  int64_t warmup = 10;
  int64_t steps = 100;
  bool loader = false;     // batches from a data loader rather than slices of one tensor
  bool set_to_none = true; // how gradients are cleared
  bool memory = false;     // count the bytes of tensors, which slows down
};

inline Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--loader") {
      options.loader = true;
    } else if (name == "--memory") {
      options.memory = true;
    } else if (name == "--keep-gradients") {
      options.set_to_none = false;
    } else if (i + 1 == argc) {
      throw std::runtime_error("unknown option, or one without its value: " + name);
    } else if (name == "--model") {
      options.model = argv[++i];
    } else if (name == "--trace") {
      options.trace = argv[++i];
    } else if (name == "--batch") {
      options.batch = std::atoll(argv[++i]);
    } else if (name == "--warmup") {
      options.warmup = std::atoll(argv[++i]);
    } else if (name == "--steps") {
      options.steps = std::atoll(argv[++i]);
    } else {
      throw std::runtime_error("unknown option: " + name);
    }
  }
  return options;
}

inline int from_environment(const char* name, int otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoi(value);
}

/// The number of KiB on the line of `file` that begins with `name`, 0 where there is none.
inline int64_t kib_of(const char* file, const std::string& name) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(name + ":", 0) == 0) {
      return std::atoll(line.c_str() + name.size() + 1);
    }
  }
  return 0;
}

/// Counts a column's steps: the first ones warm up, then the process waits until the driver opens
/// the gate for all processes at once, then time and memory are measured.
class Meter {
public:
  explicit Meter(const Options& options)
      : options_(options), tensors_(options.memory ? std::make_unique<TensorMemory>() : nullptr) {
    losses_.reserve(static_cast<size_t>(options.warmup + options.steps));
  }

  /// After a step: whether there is another one. `loss` is kept and read at the end, so that no
  /// column waits for a number.
  bool next(const torch::Tensor& loss) {
    losses_.push_back(loss.detach());
    const auto done = static_cast<int64_t>(losses_.size());
    if (done == options_.warmup) {
      open_gate();
    }
    if (done < options_.warmup + options_.steps) {
      return true;
    }
    seconds_ = std::chrono::duration<double>(Clock::now() - begin_).count();
    CALLGRIND_STOP_INSTRUMENTATION;
    read_memory();
    return false;
  }
  int64_t step() const { return static_cast<int64_t>(losses_.size()); }

  void report() const {
    std::cout << "{\"steps\": " << options_.steps << ", \"seconds\": " << std::setprecision(9)
              << seconds_ << ", \"peak_kib\": " << peak_kib_
              << ", \"tensors_kib\": " << tensors_kib_ << ", \"losses\": [";
    const char* separator = "";
    for (const auto& loss : losses_) {
      std::cout << separator << loss.item<float>();
      separator = ", ";
    }
    std::cout << "]}" << std::endl;
  }

private:
  using Clock = std::chrono::steady_clock;

  void open_gate() {
    std::cout << "ready" << std::endl;
    std::string line;
    std::getline(std::cin, line);
    if (tensors_) {
      tensors_->restart();
    }
    std::ofstream("/proc/self/clear_refs") << 5; // the highest resident size starts anew
    CALLGRIND_START_INSTRUMENTATION;
    begin_ = Clock::now();
  }

  // The most that was resident, less what other programs would share (files); memory that the
  // processes share with each other counts once among them.
  void read_memory() {
    const char* status = "/proc/self/status";
    const int64_t shared = kib_of("/proc/self/smaps_rollup", "Pss_Shmem");
    peak_kib_ =
        kib_of(status, "VmHWM") - kib_of(status, "RssFile") - kib_of(status, "RssShmem") + shared;
    tensors_kib_ = tensors_ ? tensors_->peak() / 1024 : 0;
  }

  Options options_;
  std::vector<torch::Tensor> losses_;
  Clock::time_point begin_;
  double seconds_ = 0;
  int64_t peak_kib_ = 0;
  std::unique_ptr<TensorMemory> tensors_;
  int64_t tensors_kib_ = 0;
};

} // namespace bench
