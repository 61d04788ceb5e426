// Who this process is among the others, waiting for them, and output that comes once.
#pragma once

#include <accel/options.h>

#include <torch/serialize.h>
#include <torch/types.h>

#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

namespace accel {
namespace detail {
class State;
} // namespace detail

/// How the processes of a job compute: one alone, several on CPUs, several on GPUs.
enum class DistributedType { No, MultiCpu, MultiGpu };

/// Writes it as Accelerate names it: NO, MULTI_CPU or MULTI_GPU.
std::ostream& operator<<(std::ostream& out, DistributedType type);

/// The part of an Accelerator that knows the processes; see Accelerator.
class ProcessState {
public:
  /// Joins the group, the first time. Throws std::runtime_error for a bad environment or for
  /// options that contradict those of the first Accelerator.
  explicit ProcessState(AcceleratorOptions options = {});

  /// This process's number among all processes, from 0.
  int process_index() const;
  /// This process's number among those of its machine, from 0.
  int local_process_index() const;
  int num_processes() const;
  DistributedType distributed_type() const;
  /// Whether there are several processes.
  bool use_distributed() const { return distributed_type() != DistributedType::No; }
  /// Whether this is process 0, the one that prints and saves.
  bool is_main_process() const;
  /// Whether this is the first process of its machine.
  bool is_local_main_process() const;
  bool is_last_process() const;
  /// Where this process computes: the device of ACCELERATE_TORCH_DEVICE, else a GPU of its own
  /// where there is one, else the CPU.
  torch::Device device() const;
  /// Whether the program's batch is divided over the processes.
  bool split_batches() const;

  /// Returns when all processes have called it. A collective.
  void wait_for_everyone() const;

  /// std::cout on the main process, a stream that drops everything on the others.
  std::ostream& cout() const;
  /// std::printf on the main process; on the others returns 0. The arguments are evaluated
  /// everywhere.
  int printf(const char* format, ...) const __attribute__((format(printf, 2, 3)));
  /// Writes the values, as they are, and a newline to std::cout on the main process: once in a job,
  /// where Accelerate prints once on each machine.
  template <class... A> void print(const A&... values) const {
    ((cout() << values), ...) << '\n' << std::flush;
  }

  /// torch::save on the main process. The file is written beside `path` and renamed when it is on
  /// disk, so `path` is always a whole file, old or new. Every process returns after that; where it
  /// fails, all of them throw. A collective.
  template <class V> void save(const V& value, const std::string& path) const {
    save_file(path, [&value](const std::string& file) { torch::save(value, file); });
  }

  /// Calls `f` on the main process only and returns what it returns, in an optional (nothing where
  /// it returns nothing): empty on the others. No collective, and `f` must not call one.
  template <class F> auto on_main_process(F&& f) const { return call_if(is_main_process(), f); }
  /// The same on the first process of each machine.
  template <class F> auto on_local_main_process(F&& f) const {
    return call_if(is_local_main_process(), f);
  }
  /// The same on the last process.
  template <class F> auto on_last_process(F&& f) const { return call_if(is_last_process(), f); }
  /// The same on process `index`; nothing is called where there are fewer processes.
  template <class F> auto on_process(int index, F&& f) const {
    return call_if(process_index() == index, f);
  }
  /// The same on process `index` of each machine.
  template <class F> auto on_local_process(int index, F&& f) const {
    return call_if(local_process_index() == index, f);
  }

private:
  template <class F> static auto call_if(bool called, F& f) {
    using Result = std::invoke_result_t<F&>;
    if constexpr (std::is_void_v<Result>) {
      if (called) {
        f();
      }
    } else {
      std::optional<std::decay_t<Result>> result;
      if (called) {
        result.emplace(f());
      }
      return result;
    }
  }

protected:
  void save_file(const std::string& path,
                 const std::function<void(const std::string&)>& write) const;

  std::shared_ptr<detail::State> state_;
};

} // namespace accel
