// The state that all Accelerators of a process share.
#pragma once

#include "comm/group.h"
#include "comm/record.h"
#include "data/passes.h"
#include "state/environment.h"
#include "sync/window.h"

#include <accel/options.h>
#include <accel/share.h>

#include <torch/types.h>

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace accel::detail {

class Preparation;
class Synchroniser;

/// Who this process is, the group it belongs to, and what is registered with it: synchronisers,
/// prepared models' names and buffers, the shares of the loops under way. There is one in a
/// process, made by the first Accelerator. For the thread that runs the training loop.
class State {
public:
  /// The process's state; the first call makes it, joining the group. Throws std::runtime_error for
  /// a bad environment or where `options` contradict those it was made with.
  static std::shared_ptr<State> get(const AcceleratorOptions& options);

  /// The same without making it: null where there is no Accelerator yet.
  static std::shared_ptr<State> current();

  State(const AcceleratorOptions& options, Environment environment);
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  int rank() const { return environment_.rank; }
  int size() const { return environment_.size; }
  const Environment& environment() const { return environment_; }
  const torch::Device& device() const { return device_; }
  bool split_batches() const { return split_batches_; }
  Compression compression() const { return compression_; }
  const torch::optional<bool>& even_batches() const { return even_batches_; }
  const torch::optional<bool>& dispatch_batches() const { return dispatch_batches_; }
  bool non_blocking() const { return non_blocking_; }
  double bucket_cap_mb() const { return bucket_cap_mb_; }
  double first_bucket_mb() const { return first_bucket_mb_; }

  /// A group of its own for a synchroniser, so that its collectives keep no order with others.
  std::unique_ptr<Group> new_group(const std::string& purpose);
  /// The group for everything that is not a gradient.
  Group& group() { return *group_; }
  /// Exchanges a record; see comm/record.h. Throws inside the loop over an evaluation loader.
  std::vector<Record> exchange(const Record& mine);

  /// The passes over loaders that are under way.
  Passes& passes() { return passes_; }
  const Passes& passes() const { return passes_; }
  /// The current share; outside of loops, one row of as many as there are processes.
  Share current_share() const;
  bool in_loop() const { return passes_.share().has_value(); }

  /// Whether the accumulation window goes on after this micro-batch.
  bool accumulates() const { return window_.accumulates(passes_.number()); }
  /// The accumulation window under way.
  Window& window() { return window_; }
  const Window& window() const { return window_; }

  // Prepared optimizers, in the order they were made; and what synchronises their gradients.
  void add(const std::shared_ptr<Preparation>& preparation);
  std::vector<std::shared_ptr<Preparation>> preparations();
  std::vector<std::shared_ptr<Synchroniser>> synchronisers();
  /// The synchroniser that a parameter's gradient belongs to: the first that asks for it and lives.
  bool own(const torch::Tensor& parameter, Synchroniser& synchroniser);
  void disown(Synchroniser& synchroniser);
  Synchroniser* owner(const torch::Tensor& parameter) const;

  // What prepare(model) knows.
  void name(const torch::Tensor& parameter, const std::string& name);
  std::string name_of(const torch::Tensor& parameter) const;
  void add_sparse(const torch::Tensor& parameter);
  /// Whether the parameter's module makes sparse gradients.
  bool is_sparse(const torch::Tensor& parameter) const;
  void add_buffer(const torch::Tensor& buffer);
  std::vector<torch::Tensor> buffers();

  /// How the last backward's loss was reduced over rows.
  Reduction last_reduction = Reduction::Mean;
  /// What the sum of the last backward's losses was divided by.
  double last_count = 1;
  /// Scopes of no_sync() under way, and whether the next backward exchanges gradients regardless.
  int held_back = 0;
  bool sync_next = false;
  /// set_trigger() was called and no check_trigger() since.
  bool trigger = false;
  /// Whether a backward of the accelerator's is running, and this thread's hooks belong to it.
  bool in_backward = false;

private:
  using WeakTensor = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;

  void check_against(const AcceleratorOptions& options) const;
  static int64_t window_length(const AcceleratorOptions& options, const Environment& environment);
  static void leave_at_exit(int status, void* state);
  void leave(bool in_order);

  Environment environment_;
  torch::Device device_{torch::kCPU};
  bool use_cpu_;
  bool split_batches_;
  torch::optional<bool> even_batches_;
  torch::optional<bool> dispatch_batches_;
  bool non_blocking_;
  std::chrono::milliseconds timeout_;
  Compression compression_;
  double bucket_cap_mb_;
  double first_bucket_mb_;
  std::shared_ptr<Rendezvous> rendezvous_;
  std::unique_ptr<Group> group_;
  int groups_made_ = 0;
  Passes passes_;
  Window window_;
  std::vector<std::weak_ptr<Preparation>> preparations_;
  std::unordered_map<c10::TensorImpl*, Synchroniser*> owners_;
  std::unordered_map<c10::TensorImpl*, std::pair<WeakTensor, std::string>> names_;
  std::vector<WeakTensor> buffers_;
  std::vector<WeakTensor> sparse_;
};

} // namespace accel::detail
