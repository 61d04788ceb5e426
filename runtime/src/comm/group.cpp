#include "comm/group.h"

#include "comm/rendezvous.h"

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
                                                     const std::string& name) {
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
  return c10::make_intrusive<Gloo>(store, rendezvous.rank, rendezvous.size, options);
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

} // namespace

class Pending::Work {
public:
  c10::intrusive_ptr<c10d::Work> work;
  // Null for NCCL, which waits on the device and has a watchdog of its own.
  std::shared_ptr<Rendezvous> watched;

  void wait(std::chrono::milliseconds limit);

  // Where the collective ran on a copy (another dtype or the host): the copy and where it goes.
  torch::Tensor copy;
  torch::Tensor target;
};

// In slices, so that a wait that can't end is found out (see Watch). A slice that ends too early
// throws like a collective that failed, but isn't completed.
void Pending::Work::wait(std::chrono::milliseconds limit) {
  if (!watched || limit != std::chrono::milliseconds::zero()) {
    work->wait(limit);
    return;
  }
  while (!work->isCompleted()) {
    try {
      work->wait(Watch::interval);
    } catch (const std::exception&) {
      if (work->isCompleted()) {
        throw;
      }
      watched->watch->look();
    }
  }
  work->wait();
}

Pending::Pending() = default;
Pending::Pending(std::unique_ptr<Work> work) : work_(std::move(work)) {}
Pending::Pending(Pending&&) noexcept = default;
Pending& Pending::operator=(Pending&&) noexcept = default;
Pending::~Pending() = default;

void Pending::wait(const std::string& what, std::chrono::milliseconds limit) {
  if (!work_) {
    return;
  }
  const auto work = std::move(work_);
  try {
    work->wait(limit);
  } catch (const DifferentPlaces&) {
    throw;
  } catch (const std::exception& error) {
    TORCH_CHECK(false, "accel: ", what,
                " failed: another process is gone, is stuck, or took another way through the "
                "program.",
                work->watched ? work->watched->watch->whereabouts() : "", "\n", error.what());
  }
  if (work->copy.defined()) {
    torch::NoGradGuard no_grad;
    work->target.copy_(work->copy);
  }
}

struct Group::Backends {
  std::shared_ptr<Rendezvous> rendezvous;
  std::string name;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> gloo;
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
    auto pending = std::make_unique<Pending::Work>();
    torch::Tensor argument = tensor.detach();
#ifdef ACCEL_WITH_NCCL
    if (by_nccl(tensor)) {
      torch::Tensor taken = argument.to(dtype_on_wire(argument.scalar_type(), format));
      if (!taken.is_same(argument)) {
        pending->copy = taken;
        pending->target = argument;
      }
      std::vector<torch::Tensor> tensors{taken};
      pending->work = collective(nccl_group(), tensors);
      return Pending(std::move(pending));
    }
#endif
    pending->watched = rendezvous;
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
    pending->work = collective(*gloo, tensors);
    return Pending(std::move(pending));
  }
};

Group::Group(std::shared_ptr<Rendezvous> rendezvous, const std::string& name)
    : backends_(std::make_unique<Backends>()) {
  backends_->gloo = make_gloo(*rendezvous, name);
  backends_->rendezvous = std::move(rendezvous);
  backends_->name = name;
}

Group::~Group() = default;

Pending Group::all_reduce(const torch::Tensor& tensor, Reduction reduction, WireFormat format) {
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
  auto pending = std::make_unique<Pending::Work>();
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
  // Destroying a group waits for its work, which after an error may never end; the process is about
  // to, so its memory is left.
  static_cast<void>(backends_.release());
}

} // namespace accel::detail
