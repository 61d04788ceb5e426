// Making the data loaders that yield each process's share.
#pragma once

#include <accel/collectives.h>
#include <accel/data_loader.h>

#include <torch/data/dataloader_options.h>
#include <torch/data/samplers/random.h>

#include <memory>
#include <type_traits>
#include <utility>

namespace accel {

/// The part of an Accelerator that makes data loaders; see Accelerator.
class Loaders : public Collectives {
public:
  using Collectives::Collectives;

  /// torch::data::make_data_loader for training; see DataLoader.
  template <class Dataset, class Sampler>
  std::unique_ptr<DataLoader<Dataset, Sampler>>
  make_data_loader(Dataset dataset, Sampler sampler, torch::data::DataLoaderOptions options) const {
    return make_loader(std::move(dataset), std::move(sampler), std::move(options),
                       LoaderUse::Training);
  }
  template <class Sampler = torch::data::samplers::RandomSampler, class Dataset,
            class = std::enable_if_t<std::is_constructible_v<Sampler, size_t>>>
  std::unique_ptr<DataLoader<Dataset, Sampler>>
  make_data_loader(Dataset dataset, torch::data::DataLoaderOptions options = {}) const {
    Sampler sampler(size_of(dataset));
    return make_loader(std::move(dataset), std::move(sampler), std::move(options),
                       LoaderUse::Training);
  }

  /// torch::data::make_data_loader for evaluation: every batch goes whole to exactly one process,
  /// so that sums over batches, reduced after the loop, are those of one process. No collective may
  /// be called inside the loop.
  template <class Dataset, class Sampler>
  std::unique_ptr<DataLoader<Dataset, Sampler>>
  make_eval_data_loader(Dataset dataset, Sampler sampler,
                        torch::data::DataLoaderOptions options) const {
    return make_loader(std::move(dataset), std::move(sampler), std::move(options),
                       LoaderUse::Evaluation);
  }
  template <class Sampler = torch::data::samplers::RandomSampler, class Dataset,
            class = std::enable_if_t<std::is_constructible_v<Sampler, size_t>>>
  std::unique_ptr<DataLoader<Dataset, Sampler>>
  make_eval_data_loader(Dataset dataset, torch::data::DataLoaderOptions options = {}) const {
    Sampler sampler(size_of(dataset));
    return make_loader(std::move(dataset), std::move(sampler), std::move(options),
                       LoaderUse::Evaluation);
  }

private:
  template <class Dataset> static size_t size_of(const Dataset& dataset) {
    const torch::optional<size_t> size = dataset.size();
    TORCH_CHECK(size.has_value(),
                "Expected the dataset to be sized in order to construct the Sampler");
    return *size;
  }

  template <class Dataset, class Sampler>
  std::unique_ptr<DataLoader<Dataset, Sampler>> make_loader(Dataset dataset, Sampler sampler,
                                                            torch::data::DataLoaderOptions options,
                                                            LoaderUse use) const {
    return std::make_unique<DataLoader<Dataset, Sampler>>(
        state_, device(), std::move(dataset), std::move(sampler), std::move(options), use);
  }
};

} // namespace accel
