// Making the data loaders that yield each process's share, and taking shares of batches made by
// hand.
#pragma once

#include <accel/collectives.h>
#include <accel/data_loader.h>
#include <accel/stateful_loader.h>

#include <torch/data/dataloader_options.h>
#include <torch/data/samplers/distributed.h>
#include <torch/data/samplers/random.h>

#include <memory>
#include <type_traits>
#include <utility>

namespace accel {
namespace detail {

/// The rows from first to before second that this process takes of a batch of `rows` rows that the
/// program made; makes the share current. Nothing is taken on one process.
std::pair<int64_t, int64_t> share_rows(State& state, int64_t rows);
/// Whether the rows of batches matter: on several processes, and in accumulation windows.
bool counts_rows(const State& state);
bool non_blocking(const State& state);

/// Throws where a sampler of libtorch's distributed ones divides the rows by itself.
void check_replicas(size_t replicas);

// Looks at what DistributedSampler keeps to its subclasses.
template <class Request> struct Replicas : torch::data::samplers::DistributedSampler<Request> {
  static size_t of(const torch::data::samplers::DistributedSampler<Request>& sampler) {
    return sampler.*(&Replicas::num_replicas_);
  }
};
template <class Request>
void check_sampler(const torch::data::samplers::DistributedSampler<Request>* sampler) {
  check_replicas(Replicas<Request>::of(*sampler));
}
inline void check_sampler(const void* /*sampler*/) {}

} // namespace detail

/// The part of an Accelerator that makes data loaders; see Accelerator.
class Loaders : public Collectives {
public:
  using Collectives::Collectives;

  /// torch::data::make_data_loader for training; see DataLoader.
  template <class Dataset, class Sampler, class = std::enable_if_t<!Dataset::is_stateful>>
  std::unique_ptr<DataLoader<Dataset, Sampler>>
  make_data_loader(Dataset dataset, Sampler sampler, torch::data::DataLoaderOptions options) const {
    return make_loader(std::move(dataset), std::move(sampler), std::move(options),
                       LoaderUse::Training);
  }
  template <
      class Sampler = torch::data::samplers::RandomSampler, class Dataset,
      class = std::enable_if_t<!Dataset::is_stateful && std::is_constructible_v<Sampler, size_t>>>
  std::unique_ptr<DataLoader<Dataset, Sampler>>
  make_data_loader(Dataset dataset, torch::data::DataLoaderOptions options = {}) const {
    Sampler sampler(size_of(dataset));
    return make_loader(std::move(dataset), std::move(sampler), std::move(options),
                       LoaderUse::Training);
  }
  /// For a stateful dataset; see StatefulDataLoader.
  template <class Dataset, class = std::enable_if_t<Dataset::is_stateful>, class = void>
  std::unique_ptr<StatefulDataLoader<Dataset>>
  make_data_loader(Dataset dataset, torch::data::DataLoaderOptions options = {}) const {
    return make_stateful(std::move(dataset), std::move(options), LoaderUse::Training);
  }

  /// torch::data::make_data_loader for evaluation: every batch goes whole to exactly one process,
  /// so that sums over batches, reduced after the loop, are those of one process. No collective may
  /// be called inside the loop.
  template <class Dataset, class Sampler, class = std::enable_if_t<!Dataset::is_stateful>>
  std::unique_ptr<DataLoader<Dataset, Sampler>>
  make_eval_data_loader(Dataset dataset, Sampler sampler,
                        torch::data::DataLoaderOptions options) const {
    return make_loader(std::move(dataset), std::move(sampler), std::move(options),
                       LoaderUse::Evaluation);
  }
  template <
      class Sampler = torch::data::samplers::RandomSampler, class Dataset,
      class = std::enable_if_t<!Dataset::is_stateful && std::is_constructible_v<Sampler, size_t>>>
  std::unique_ptr<DataLoader<Dataset, Sampler>>
  make_eval_data_loader(Dataset dataset, torch::data::DataLoaderOptions options = {}) const {
    Sampler sampler(size_of(dataset));
    return make_loader(std::move(dataset), std::move(sampler), std::move(options),
                       LoaderUse::Evaluation);
  }
  template <class Dataset, class = std::enable_if_t<Dataset::is_stateful>, class = void>
  std::unique_ptr<StatefulDataLoader<Dataset>>
  make_eval_data_loader(Dataset dataset, torch::data::DataLoaderOptions options = {}) const {
    return make_stateful(std::move(dataset), std::move(options), LoaderUse::Evaluation);
  }

  /// Leaves out the first `count` batches of the loader's next pass; see DataLoader.
  template <class Loader> Loader& skip_first_batches(Loader& loader, size_t count) const {
    loader.skip_first_batches(count);
    return loader;
  }

  /// Whether the innermost loop over a loader of accel's is at its last batch; false outside of
  /// one.
  bool end_of_dataloader() const;

  /// This process's rows, on its device, of a batch that the program made by hand, the same on all
  /// processes: a tensor, or tensors and sequences in an Example, a tuple, a vector, a map or a
  /// class with the hook visit_fields (see PerRow), all of the same number of rows. Rows are cut in
  /// contiguous shares as even as they go; a process without any repeats those of process 0, with
  /// weight zero. On one process nothing is cut (rows are counted if windows have several
  /// micro-batches).
  ///
  /// Afterwards backward(), mean() and the others weigh by these rows, until the next batch of a
  /// loader or the next call: of several calls in a step the last one counts, so values that belong
  /// to a loss of fewer rows come last, or together with it. Throws where there is no row, and
  /// where the parts have different numbers of rows. No collective.
  template <class T> std::decay_t<T> shard(T&& value) const {
    std::decay_t<T> mine = std::forward<T>(value);
    if (detail::counts_rows(*state_)) {
      const auto bounds = detail::share_rows(*state_, detail::count_rows(mine));
      detail::take_rows(mine, bounds.first, bounds.second);
    }
    move_to_device(mine, device(), detail::non_blocking(*state_));
    return mine;
  }

  /// The same of a tensor whose rows lie along dimension `dim` (from the last one where negative),
  /// such as the hidden state of torch::nn::LSTM: {layers, rows, hidden}.
  torch::Tensor shard(torch::Tensor value, int64_t dim) const;

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
    if (num_processes() > 1) {
      detail::check_sampler(&sampler);
    }
    auto facts = detail::facts_of(dataset);
    if constexpr (std::is_same_v<typename Sampler::BatchRequestType, detail::RowNumbers>) {
      const torch::optional<size_t> rows = dataset.size();
      if (rows) {
        facts.rows = *rows;
      }
    }
    return std::make_unique<DataLoader<Dataset, Sampler>>(state_, device(), std::move(dataset),
                                                          std::move(sampler), std::move(options),
                                                          use, std::move(facts));
  }

  template <class Dataset>
  std::unique_ptr<StatefulDataLoader<Dataset>>
  make_stateful(Dataset dataset, torch::data::DataLoaderOptions options, LoaderUse use) const {
    auto facts = detail::facts_of(dataset);
    return std::make_unique<StatefulDataLoader<Dataset>>(state_, device(), std::move(dataset),
                                                         std::move(options), use, std::move(facts));
  }
};

} // namespace accel
