// Samplers whose order processes agree on without telling each other.
#pragma once

#include <torch/data/samplers/base.h>
#include <torch/types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace accel {

/// A random order that is a function of a seed and of the epoch's number alone: the same on every
/// process and in every run, whatever else draws random numbers. Each reset() but the first goes on
/// to the next epoch; set_epoch says which one the next reset() begins. All processes must give the
/// same seed.
class SeedableRandomSampler : public torch::data::samplers::Sampler<> {
public:
  /// Every process draws the order by itself.
  static constexpr bool agreed = true;

  /// `size`: rows of the dataset.
  explicit SeedableRandomSampler(size_t size, uint64_t seed = 0);

  void set_epoch(size_t epoch);
  /// The epoch whose rows next() yields.
  size_t epoch() const { return epoch_; }

  void reset(torch::optional<size_t> new_size = torch::nullopt) override;
  torch::optional<std::vector<size_t>> next(size_t batch_size) override;
  /// Saves and restores seed, epoch and how far next() has come.
  void save(torch::serialize::OutputArchive& archive) const override;
  void load(torch::serialize::InputArchive& archive) override;

private:
  void shuffle();

  std::vector<size_t> order_;
  uint64_t seed_;
  size_t epoch_ = 0;
  size_t at_ = 0;
  // The next reset() begins epoch_ itself.
  bool fresh_ = true;
};

} // namespace accel
