// The same loop with libtorch's own c10d::Reducer over Gloo, driven as Python's
// DistributedDataParallel drives it with its default options. For libtorch 2.x, whose backends are
// apart from ProcessGroup.
#include "meter.h"
#include "models.h"

#ifndef USE_C10D_GLOO
#define USE_C10D_GLOO
#endif
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <torch/csrc/distributed/c10d/comm.hpp>
#include <torch/csrc/distributed/c10d/logger.hpp>
#include <torch/csrc/distributed/c10d/reducer.hpp>

#include <limits>
#include <type_traits>
#include <unordered_map>

namespace {

using c10d::ProcessGroup;
using Group = c10::intrusive_ptr<ProcessGroup>;
using Buckets = std::vector<std::vector<size_t>>;
using Names = std::unordered_map<size_t, std::string>;

Group make_group(int rank, int processes) {
  c10d::TCPStoreOptions store_options;
  store_options.port = static_cast<uint16_t>(bench::from_environment("MASTER_PORT", 29500));
  store_options.isServer = rank == 0;
  store_options.numWorkers = static_cast<size_t>(processes);
  const char* address = std::getenv("MASTER_ADDR");
  c10::intrusive_ptr<c10d::Store> store = c10::make_intrusive<c10d::TCPStore>(
      address == nullptr ? "127.0.0.1" : address, store_options);

  auto options = c10d::ProcessGroupGloo::Options::create();
  options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1"));
  auto gloo = c10::make_intrusive<c10d::ProcessGroupGloo>(
      c10::make_intrusive<c10d::PrefixStore>("gloo", store), rank, processes, options);
  auto group = c10::make_intrusive<ProcessGroup>(rank, processes);
  group->setBackend(torch::kCPU, ProcessGroup::BackendType::GLOO, gloo);
  group->setDefaultBackend(ProcessGroup::BackendType::GLOO);
  return group;
}

// The constructor changed often; the compiler picks the one that there is.
template <class Reducer>
std::shared_ptr<Reducer> make_reducer(const std::vector<torch::Tensor>& parameters,
                                      const Buckets& buckets, const std::vector<size_t>& limits,
                                      const Group& group, const Names& names) {
  using Tensors = std::vector<torch::Tensor>;
  using Flags = std::vector<bool>;
  using Caps = std::vector<int64_t>;
  const Flags sparse(parameters.size(), false);
  const auto cap = static_cast<int64_t>(c10d::kDefaultBucketBytesCap);
  const auto first_cap = static_cast<int64_t>(c10d::kDefaultFirstBucketBytes);
  if constexpr (std::is_constructible_v<Reducer, Tensors, Buckets, Group, Flags, int64_t, bool,
                                        bool, Names, int64_t, bool, bool, Caps>) {
    return std::make_shared<Reducer>(parameters, buckets, group, sparse, cap, false, false, names,
                                     first_cap, false, false, Caps());
  } else if constexpr (std::is_constructible_v<Reducer, Tensors, Buckets, Group, Flags, int64_t,
                                               bool, bool, Names, int64_t, bool, bool>) {
    return std::make_shared<Reducer>(parameters, buckets, group, sparse, cap, false, false, names,
                                     first_cap, false, false);
  } else {
    return std::make_shared<Reducer>(parameters, buckets, limits, group, sparse, cap, false, false,
                                     names, first_cap);
  }
}

/// A model whose gradients the Reducer averages.
class Ddp {
public:
  Ddp(bench::Net& net, const Group& group) {
    auto parameters = net.parameters();
    c10d::verify_params_across_processes(group, parameters, {});
    std::vector<torch::Tensor> values;
    for (const auto& parameter : parameters) {
      values.push_back(parameter.detach());
    }
    c10d::broadcast_coalesced(group, values, size_t{250} * 1024 * 1024);
    Names names;
    for (const auto& parameter : net.named_parameters()) {
      names.emplace(names.size(), parameter.key());
    }
    auto [buckets, limits] = c10d::compute_bucket_assignment_by_size(
        parameters, {static_cast<size_t>(std::numeric_limits<int64_t>::max())},
        std::vector<bool>(parameters.size(), false));
    std::reverse(buckets.begin(), buckets.end());
    std::reverse(limits.begin(), limits.end());
    reducer_ = make_reducer<c10d::Reducer>(parameters, buckets, limits, group, names);
    logger_ = std::make_shared<c10d::Logger>(reducer_);
    reducer_->set_logger(logger_);
    logger_->set_construction_data_and_log("Net", {}, -1, true, false, false);
  }

  torch::Tensor forward(bench::Net& net, const torch::Tensor& images) {
    logger_->set_runtime_stats_and_log();
    reducer_->prepare_for_forward();
    reducer_->rebuild_buckets();
    torch::Tensor output = net.forward(images);
    reducer_->prepare_for_backward({});
    return output;
  }

private:
  std::shared_ptr<c10d::Reducer> reducer_;
  std::shared_ptr<c10d::Logger> logger_;
};

} // namespace

int main(int argc, char** argv) {
  const auto options = bench::parse(argc, argv);
  bench::Meter meter(options);
  const int rank = bench::from_environment("RANK", 0);
  const int processes = bench::from_environment("WORLD_SIZE", 1);
  auto group = make_group(rank, processes);
  const bench::Rows rows;
  auto net = bench::make_net(options.model);
  auto ddp = std::make_unique<Ddp>(*net, group);
  auto optimizer = bench::make_optimizer(*net);
  bool more = true;
  while (more) {
    const auto batch = rows.batch(meter.step(), options.batch, rank, processes);
    optimizer.zero_grad(options.set_to_none);
    auto loss = torch::nll_loss(ddp->forward(*net, batch.data), batch.target);
    loss.backward();
    optimizer.step();
    more = meter.next(loss);
  }
  meter.report();
  // Gloo's threads must be gone before libtorch's own statics.
  group->barrier()->wait();
  ddp.reset();
  group.reset();
}
