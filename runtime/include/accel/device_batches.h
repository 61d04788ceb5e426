// Batches that reach their loader's consumer on the device, however the pass was begun.
#pragma once

#include <accel/placement.h>

#include <torch/data/datasets/base.h>
#include <torch/data/detail/sequencers.h>
#include <torch/types.h>

#include <memory>
#include <type_traits>
#include <utility>

namespace accel::detail {

/// Where a loader's batches go.
struct Destination {
  torch::Device device{torch::kCPU};
  bool non_blocking = false;

  template <class Batch> void take(Batch& batch) const {
    move_to_device(batch, device, non_blocking);
  }
};

/// A dataset whose batches are on the device: for a loader without workers, which reads from it.
template <class Dataset> class PlacedDataset : public Dataset {
public:
  PlacedDataset(Dataset&& dataset, Destination destination)
      : Dataset(std::move(dataset)), destination_(destination) {}
  typename Dataset::BatchType get_batch(typename Dataset::BatchRequestType request) override {
    typename Dataset::BatchType batch = Dataset::get_batch(std::move(request));
    destination_.take(batch);
    return batch;
  }

private:
  Destination destination_;
};

template <class Dataset, class = void> struct HasVirtualBatches : std::false_type {};
template <class Dataset>
struct HasVirtualBatches<Dataset, std::void_t<typename Dataset::SelfType>>
    : std::is_base_of<torch::data::datasets::BatchDataset<typename Dataset::SelfType,
                                                          typename Dataset::BatchType,
                                                          typename Dataset::BatchRequestType>,
                      Dataset> {};

template <class Dataset>
inline constexpr bool can_place_dataset =
    HasVirtualBatches<Dataset>::value && !std::is_final_v<Dataset> &&
    std::is_move_constructible_v<Dataset>;

/// A sequencer that puts the batches of workers on the device, in the thread that takes them.
template <class Result>
class PlacingSequencer : public torch::data::detail::sequencers::Sequencer<Result> {
  using Base = torch::data::detail::sequencers::Sequencer<Result>;

public:
  PlacingSequencer(std::unique_ptr<Base> sequencer, Destination destination)
      : sequencer_(std::move(sequencer)), destination_(destination) {}
  torch::optional<Result> next(typename Base::ResultProducer next_result) override {
    auto result = sequencer_->next(std::move(next_result));
    if (result && result->batch) {
      destination_.take(*result->batch);
    }
    return result;
  }

private:
  std::unique_ptr<Base> sequencer_;
  Destination destination_;
};

} // namespace accel::detail
