// Makes the gradients of one optimizer's parameters equal on all processes.
#pragma once

#include "comm/group.h"
#include "state/state.h"
#include "sync/buckets.h"
#include "sync/hooks.h"

#include <torch/optim/optimizer.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace accel::detail {

/// The gradients of one optimizer, in buckets, and the collectives on them.
///
/// A gradient is in one of three conditions. *Equal*: the same on all processes. *Local*: this
/// process's addend of a sum over the processes, as accelerator.backward makes it. *Raw*: this
/// process's own, of which the average is wanted, as a plain loss.backward() or an assignment
/// leaves it. contribute() makes a local one of either: of an equal one by keeping it on process 0
/// and clearing it elsewhere (so that what was reduced once isn't again), of a raw one by dividing.
/// An average of equal gradients is that gradient, so one of unknown origin counts as raw. Local
/// ones stay so after a backward that exchanges nothing (accumulation, no_sync) until the next that
/// does, or until something reads them.
///
/// Sparse gradients of embeddings made with sparse(true) lie in no bucket: the processes' indices
/// and values are gathered.
class Synchroniser : public GradientListener {
public:
  Synchroniser(std::shared_ptr<State> state, torch::optim::Optimizer& optimizer);
  Synchroniser(const Synchroniser&) = delete;
  Synchroniser& operator=(const Synchroniser&) = delete;
  ~Synchroniser() override;

  void attach(torch::optim::Optimizer& optimizer) { optimizer_ = &optimizer; }

  // A backward of the accelerator's, in this order. finish() and everything between must be called
  // on all processes for the same synchronisers.
  /// Prepares for gradients.
  void begin();
  /// Lets each bucket be reduced as soon as it is full.
  void launch_when_full() { eager_ = true; }
  /// Whether the backward reached a parameter.
  bool touched() const { return touched_; }
  /// Starts what has not been started.
  void launch_all() { launch_all(Point::Backward); }
  /// Waits; the gradients are equal then.
  void finish() { finish(Point::Backward); }
  /// Instead of launch_all() and finish(): leaves the gradients on this process for now.
  void keep_local() { eager_ = false; }
  /// Multiplies what backwards without an exchange have left.
  void scale_local(double factor);
  /// After an error in backward: forgets it if no collective was started, else refuses to go on.
  void abandon();

  /// Before something reads the gradients: synchronises them if they are not equal yet, those of
  /// parameters that another optimizer was prepared with first included.
  void settle();
  /// Takes the gradients as they are now for equal ones.
  void accept();
  void stepped() { ++steps_; }
  State& state() { return *state_; }
  bool has_parameters() const { return !slots_.empty(); }
  bool on_cpu() const { return all_on_cpu_; }
  /// When the last bucket-wise reduction began, relative to backward's gradients: how many of them
  /// were ready. For tests of overlap.
  size_t ready_at_first_launch() const { return ready_at_first_launch_; }

  /// Leaves the group at the end of the process; `clean`: nothing is under way.
  void leave(bool clean);

  torch::Tensor before_accumulation(size_t index, const torch::Tensor& gradient) override;
  void after_accumulation(size_t index) override;

private:
  // What a process is doing when it reduces.
  enum class Point { Backward, Step, Rebuild };
  enum class Condition { Equal, Local, Raw };

  // One parameter.
  struct Slot {
    Slot(torch::Tensor parameter, AccumulationHook hook);
    torch::Tensor parameter;
    AccumulationHook hook;
    std::string name;
    torch::ScalarType dtype;
    torch::Device device;
    std::vector<int64_t> sizes;
    bool sparse = false;
    size_t bucket = 0;
    torch::Tensor part;
    // A gradient with a graph of its own, kept where the program put it; reduced values are copied.
    torch::Tensor kept;
    Condition condition = Condition::Equal;
    int64_t version = 0;
    bool present = false;
  };

  // One parameter as the optimizer lists it: ours (in a slot), another synchroniser's, or frozen.
  struct Entry {
    torch::Tensor parameter;
    bool trained;
    bool foreign;
    int64_t slot;
  };

  // A bucket in use.
  struct Flight {
    Pending pending;
    size_t waiting = 0;
    bool launched = false;
  };

  std::vector<torch::Tensor> trainable() const;
  bool optimizer_changed() const;
  static bool matches(const Slot& slot);
  void list_entries();
  void build(std::vector<torch::Tensor> parameters);
  void rebuild_together();
  std::string name_of(const torch::Tensor& parameter) const;
  void move_gradient(Slot& slot, const Slot* before);

  void refresh_local();
  void ingest(Slot& slot);
  bool is_untouched(const Slot& slot) const;
  void contribute(Slot& slot);
  void launch_ready();
  void launch(size_t bucket, Point point);
  void launch_all(Point point);
  void finish(Point point);
  void reset_flights();
  void take(Slot& slot);
  void contribute_sparse(Slot& slot);
  void reduce_sparse();
  torch::Tensor sum_of_rows(const Slot& slot, const torch::Tensor& mine,
                            const std::vector<int64_t>& counts);
  void take_sparse(Slot& slot, const torch::Tensor& sum);
  bool holds_local() const;
  void settle_owned();
  void write_votes(Point point);
  std::vector<double> read_votes() const;
  void check_point(const std::vector<double>& votes, Point point) const;
  std::string text_of(double stamp, double batches) const;
  std::string describe(size_t bucket) const;
  void refuse_if_broken() const;

  std::shared_ptr<State> state_;
  torch::optim::Optimizer* optimizer_;
  std::unique_ptr<Group> group_;
  // What its exchanges are called; see Watch.
  std::string place_;
  // Guards what hooks touch; backward may use a thread a device.
  std::mutex mutex_;
  std::vector<Entry> entries_;
  bool shares_parameters_ = false;
  std::vector<Slot> slots_;
  std::vector<Bucket> buckets_;
  std::vector<Flight> flights_;
  size_t next_ = 0;
  // A vote a parameter (has this process a gradient?), then a stamp of each process's place in the
  // program. At the end of the last bucket, or by itself where that is on a device.
  torch::Tensor votes_;
  bool votes_in_bucket_ = false;
  bool all_on_cpu_ = true;
  bool eager_ = false;
  bool touched_ = false;
  bool raw_ = false;
  bool any_sparse_ = false;
  size_t ready_ = 0;
  size_t ready_at_first_launch_ = 0;
  int64_t steps_ = 0;
  std::string broken_;
};

} // namespace accel::detail
