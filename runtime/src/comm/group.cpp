#include "comm/group.h"

#include "comm/c10d_work.h"
#include "comm/rendezvous.h"
#include "comm/shared_reduction.h"
#include "comm/shared_sum.h"

// The headers of c10d's backends are empty without these; some libtorchs define them for their
// users.
#ifndef USE_C10D_GLOO
#define USE_C10D_GLOO
#endif
#if defined(ACCEL_WITH_NCCL) && !defined(USE_C10D_NCCL)
#define USE_C10D_NCCL
#endif

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#ifdef ACCEL_WITH_NCCL
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#endif

#include <algorithm>
#include <iostream>
#include <iterator>
#include <mutex>
#include <sstream>
#include <utility>
#include <vector>

namespace accel::detail {
namespace {

bool is_loopback(const std::string& address) {
  return address == "localhost" || address == "::1" || address.rfind("127.", 0) == 0;
}

c10::intrusive_ptr<c10d::ProcessGroupGloo> make_gloo(const Rendezvous& rendezvous,
                                                     const std::string& name, int rank, int size) {
  using Gloo = c10d::ProcessGroupGloo;
  auto options = Gloo::Options::create(rendezvous.timeout);
  options->timeout = rendezvous.timeout;
  std::stringstream interfaces(rendezvous.interfaces);
  for (std::string interface; std::getline(interfaces, interface, ',');) {
    if (!interface.empty()) {
      options->devices.push_back(Gloo::createDeviceForInterface(interface));
    }
  }
  if (options->devices.empty()) {
    // Processes that meet on loopback are on one machine: nothing of theirs needs another network.
    options->devices.push_back(is_loopback(rendezvous.master_address)
                                   ? Gloo::createDeviceForHostname("127.0.0.1")
                                   : Gloo::createDefaultDevice());
  }
  auto store = c10::make_intrusive<c10d::PrefixStore>(name + "/gloo", rendezvous.store);
  return c10::make_intrusive<Gloo>(store, rank, size, options);
}

c10d::ReduceOp reduce_op(Reduction reduction) {
  TORCH_INTERNAL_ASSERT(reduction != Reduction::Mean);
  return reduction == Reduction::Sum ? c10d::ReduceOp::SUM : c10d::ReduceOp::MAX;
}

torch::ScalarType dtype_on_wire(torch::ScalarType dtype, WireFormat format) {
  if (format == WireFormat::AsIs || (dtype != torch::kFloat && dtype != torch::kDouble)) {
    return dtype;
  }
  return format == WireFormat::Half ? torch::kHalf : torch::kBFloat16;
}

// A sum in shared memory.
class SharedWork : public Pending::Work {
public:
  SharedWork(std::shared_ptr<SharedReduction> reduction, uint32_t number)
      : reduction_(std::move(reduction)), number_(number) {}

  void wait(const std::string& what, std::chrono::milliseconds limit) override {
    reduction_->wait(number_, what, limit);
  }

private:
  std::shared_ptr<SharedReduction> reduction_;
  uint32_t number_;
};

bool can_share(const Extent& extent) {
  return extent.device.is_cpu() && extent.numel > 0 && can_sum(extent.dtype);
}

} // namespace

struct Group::Backends {
  std::shared_ptr<Rendezvous> rendezvous;
  std::string name;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> gloo;
  // The tensors in shared memory, if any; and the group of the machines' first processes.
  std::shared_ptr<SharedReduction> shared;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> leaders_gloo;
  std::vector<int> leaders;
  WireFormat leaders_format = WireFormat::AsIs;
  int allocations = 0;
#ifdef ACCEL_WITH_NCCL
  c10::intrusive_ptr<c10d::ProcessGroupNCCL> nccl;

  c10d::ProcessGroupNCCL& nccl_group() {
    if (!nccl) {
      auto options = c10d::ProcessGroupNCCL::Options::create();
      options->timeout = rendezvous->timeout;
      auto store = c10::make_intrusive<c10d::PrefixStore>(name + "/nccl", rendezvous->store);
      nccl = c10::make_intrusive<c10d::ProcessGroupNCCL>(store, rendezvous->rank, rendezvous->size,
                                                         options);
    }
    return *nccl;
  }
#endif

  static bool by_nccl([[maybe_unused]] const torch::Tensor& tensor) {
#ifdef ACCEL_WITH_NCCL
    return tensor.is_cuda();
#else
    return false;
#endif
  }

  // Runs `collective(backend, tensors)` on the tensor, or on a copy that the backend can take.
  template <class Collective>
  Pending run(const torch::Tensor& tensor, WireFormat format, Collective&& collective) {
#ifdef ACCEL_WITH_NCCL
    if (by_nccl(tensor)) {
      auto pending = std::make_unique<C10dWork>();
      torch::Tensor taken = tensor.detach();
      taken = taken.to(dtype_on_wire(taken.scalar_type(), format));
      if (taken.scalar_type() != tensor.scalar_type()) {
        pending->copy = taken;
        pending->target = tensor.detach();
      }
      std::vector<torch::Tensor> tensors{taken};
      pending->work = collective(nccl_group(), tensors);
      return Pending(std::move(pending));
    }
#endif
    return Pending(run_on(*gloo, tensor, format, collective));
  }

  template <class Collective>
  std::unique_ptr<C10dWork> run_on(c10d::ProcessGroupGloo& backend, const torch::Tensor& tensor,
                                   WireFormat format, Collective&& collective) {
    auto pending = std::make_unique<C10dWork>();
    pending->watched = rendezvous;
    torch::Tensor argument = tensor.detach();
    // Gloo knows neither bfloat16 (in older versions) nor bool nor complex numbers.
    if (argument.is_complex()) {
      argument = torch::view_as_real(argument);
    }
    torch::Tensor taken = argument.cpu();
    taken = taken.to(dtype_on_wire(taken.scalar_type(), format));
    if (taken.scalar_type() == torch::kBFloat16) {
      taken = taken.to(torch::kFloat);
    } else if (taken.scalar_type() == torch::kBool || taken.scalar_type() == torch::kShort) {
      taken = taken.to(torch::kInt);
    }
    if (!taken.is_same(argument)) {
      pending->copy = taken;
      pending->target = argument;
    }
    std::vector<torch::Tensor> tensors{taken};
    pending->work = collective(backend, tensors);
    return pending;
  }

  void meet_leaders(const std::vector<int>& ranks) {
    const auto mine = std::find(ranks.begin(), ranks.end(), rendezvous->rank);
    if (ranks == leaders || ranks.size() == 1 || mine == ranks.end()) {
      return;
    }
    leaders = ranks;
    leaders_gloo =
        make_gloo(*rendezvous, name + "/leaders" + std::to_string(allocations),
                  static_cast<int>(mine - ranks.begin()), static_cast<int>(ranks.size()));
  }

  std::unique_ptr<Exchange> sum_over_leaders(const torch::Tensor& tensor) {
    return run_on(*leaders_gloo, tensor, leaders_format,
                  [](auto& backend, std::vector<torch::Tensor>& tensors) {
                    return backend.allreduce(tensors);
                  });
  }

  void note(const std::string& obstacle) {
    if (obstacle.empty() || rendezvous->told) {
      return;
    }
    rendezvous->told = true;
    if (rendezvous->rank == 0) {
      std::cerr << "accel: gradients take the slower way over sockets (Gloo), since the processes "
                   "can't share memory: "
                << obstacle << ". ACCEL_SHARED_MEMORY=off chooses that way without this note."
                << std::endl;
    }
  }
};

Group::Group(std::shared_ptr<Rendezvous> rendezvous, const std::string& name)
    : backends_(std::make_unique<Backends>()) {
  backends_->gloo = make_gloo(*rendezvous, name, rendezvous->rank, rendezvous->size);
  backends_->rendezvous = std::move(rendezvous);
  backends_->name = name;
}

Group::~Group() {
  if (backends_ && backends_->shared) {
    backends_->shared->leave(false);
  }
}

std::vector<torch::Tensor> Group::allocate(const std::vector<Extent>& extents) {
  Rendezvous& rendezvous = *backends_->rendezvous;
  std::vector<Extent> to_share;
  std::copy_if(extents.begin(), extents.end(), std::back_inserter(to_share), can_share);
  backends_->shared.reset();
  ++backends_->allocations;
  std::vector<torch::Tensor> shared;
  if (!to_share.empty()) {
    SharedLayout layout(to_share);
    const auto processes = static_cast<size_t>(rendezvous.size);
    auto neighbours =
        attach_neighbours(*this, rendezvous.rank, rendezvous.shared_memory, layout.plan(processes));
    backends_->note(neighbours.obstacle);
    if (neighbours.memory) {
      backends_->meet_leaders(neighbours.leaders);
      backends_->shared = std::make_shared<SharedReduction>(
          std::move(layout), std::move(neighbours), rendezvous.rank, processes, rendezvous.timeout,
          [backends = backends_.get()](const torch::Tensor& tensor) {
            return backends->sum_over_leaders(tensor);
          });
      backends_->shared->on_long_wait([watch = rendezvous.watch.get()] { watch->look(); });
      shared = backends_->shared->tensors();
    }
  }
  std::vector<torch::Tensor> tensors;
  size_t next = 0;
  for (const Extent& extent : extents) {
    tensors.push_back(!shared.empty() && can_share(extent)
                          ? shared[next++]
                          : torch::zeros({extent.numel},
                                         torch::TensorOptions(extent.dtype).device(extent.device)));
  }
  return tensors;
}

bool Group::shares_memory() const {
  return backends_->shared != nullptr;
}

int Group::size() const {
  return backends_->rendezvous->size;
}

Pending Group::all_reduce(const torch::Tensor& tensor, Reduction reduction, WireFormat format) {
  if (tensor.numel() == 0) {
    return {};
  }
  const auto& shared = backends_->shared;
  if (shared && reduction == Reduction::Sum) {
    const int64_t extent = shared->find(tensor);
    if (extent >= 0) {
      backends_->leaders_format = format;
      return Pending(
          std::make_unique<SharedWork>(shared, shared->launch(static_cast<size_t>(extent))));
    }
  }
  c10d::AllreduceOptions options;
  options.reduceOp = reduce_op(reduction);
  return backends_->run(tensor, format, [&](auto& backend, std::vector<torch::Tensor>& tensors) {
    return backend.allreduce(tensors, options);
  });
}

Pending Group::broadcast(const torch::Tensor& tensor, int root) {
  c10d::BroadcastOptions options;
  options.rootRank = root;
  return backends_->run(tensor, WireFormat::AsIs,
                        [&](auto& backend, std::vector<torch::Tensor>& tensors) {
                          return backend.broadcast(tensors, options);
                        });
}

torch::Tensor Group::all_gather(const torch::Tensor& tensor, const std::string& what,
                                std::chrono::milliseconds limit) {
  const int64_t size = backends_->rendezvous->size;
  auto sizes = tensor.sizes().vec();
  sizes.insert(sizes.begin(), size);
  if (tensor.numel() == 0) {
    return torch::empty(sizes, tensor.options());
  }
  // As bytes, so that every dtype is the same to the backends.
  torch::Tensor bytes = tensor.detach().contiguous().view(-1).view(torch::kByte);
  if (!Backends::by_nccl(bytes)) {
    bytes = bytes.cpu();
  }
  auto all = torch::empty({size, bytes.numel()}, bytes.options());
  std::vector<torch::Tensor> inputs{bytes};
  std::vector<std::vector<torch::Tensor>> outputs{all.unbind(0)};
  auto pending = std::make_unique<C10dWork>();
  pending->watched = Backends::by_nccl(bytes) ? nullptr : backends_->rendezvous;
#ifdef ACCEL_WITH_NCCL
  pending->work = bytes.is_cuda() ? backends_->nccl_group().allgather(outputs, inputs)
                                  : backends_->gloo->allgather(outputs, inputs);
#else
  pending->work = backends_->gloo->allgather(outputs, inputs);
#endif
  Pending(std::move(pending)).wait(what, limit);
  return all.view(tensor.scalar_type()).view(sizes).to(tensor.device());
}

void Group::arrive(const std::string& what) {
  backends_->rendezvous->watch->arrive(what);
}

void Group::abandon() {
  if (backends_->shared) {
    backends_->shared->leave(true);
  }
  // Destroying a group waits for its work, which after an error may never end; the process is about
  // to, so its memory is left.
  static_cast<void>(backends_.release());
}

} // namespace accel::detail
