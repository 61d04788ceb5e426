// The collectives of one group of processes, on libtorch's c10d: NCCL for CUDA tensors where it is
// there, Gloo for everything else. Nothing outside comm/ knows c10d.
#pragma once

#include <accel/reduction.h>

#include <torch/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace accel::detail {

/// The way to the other processes: the store they met in, and what every group is made with.
struct Rendezvous;

/// What a flat tensor is to be.
struct Extent {
  int64_t numel = 0;
  torch::ScalarType dtype = torch::kFloat;
  torch::Device device{torch::kCPU};

  size_t bytes() const { return static_cast<size_t>(numel) * c10::elementSize(dtype); }
};

/// A collective under way. The tensor given to it must not be touched until wait() has returned.
class Pending {
public:
  class Work;
  Pending();
  explicit Pending(std::unique_ptr<Work> work);
  Pending(Pending&&) noexcept;
  Pending& operator=(Pending&&) noexcept;
  ~Pending();

  /// Waits for the end; `what` says in an error what was waited for. Does nothing a second time.
  /// `limit`: see Group::all_gather.
  void wait(const std::string& what, std::chrono::milliseconds limit = {});
  bool under_way() const { return work_ != nullptr; }

private:
  std::unique_ptr<Work> work_;
};

/// The format in which values travel; where they travel in another, they are rounded to it.
enum class WireFormat { AsIs, Half, BFloat16 };

/// One group over all processes. Calls on it must come in the same order on all of them; two groups
/// don't depend on each other's order. Made by a collective.
class Group {
public:
  Group(std::shared_ptr<Rendezvous> rendezvous, const std::string& name);
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  ~Group();

  /// Reduces `tensor` in place (contiguous, of the same shape everywhere). Mean is not taken.
  Pending all_reduce(const torch::Tensor& tensor, Reduction reduction,
                     WireFormat format = WireFormat::AsIs);
  /// Makes `tensor` (contiguous) what it is on process `root`.
  Pending broadcast(const torch::Tensor& tensor, int root);
  /// The processes' tensors (contiguous, of one shape), stacked along a new first dimension.
  /// `limit` bounds the wait further than the group's timeout does; zero: it doesn't.
  torch::Tensor all_gather(const torch::Tensor& tensor, const std::string& what,
                           std::chrono::milliseconds limit = {});
  /// Says that this process comes to its next exchange with all others, called `what` on all of
  /// them; see Watch. Waits that follow belong to it.
  void arrive(const std::string& what);
  /// Gives the group up without waiting for work that may never end; for a process that is about to
  /// exit after an error.
  void abandon();

  /// Flat tensors of zeroes. Those on the CPU lie in memory shared with the other processes of this
  /// machine where there can be such memory, and all_reduce(tensor, Sum) of one of them goes
  /// through it: deterministic (added up in the order of the processes), without a copy. For that
  /// the tensor must be as it was returned, whole. They outlive the group; a later call takes the
  /// fast way from the tensors of an earlier one. A collective: the extents are the same
  /// everywhere. Throws where shared memory is insisted on and impossible.
  std::vector<torch::Tensor> allocate(const std::vector<Extent>& extents);
  /// Whether tensors of allocate() lie in shared memory.
  bool shares_memory() const;
  /// The number of processes.
  int size() const;

private:
  struct Backends;
  std::unique_ptr<Backends> backends_;
};

} // namespace accel::detail
