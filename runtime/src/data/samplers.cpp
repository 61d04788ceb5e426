#include <accel/samplers.h>

#include <torch/serialize.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace accel {
namespace {

// std::shuffle and the standard distributions differ between libraries; this doesn't.
size_t below(std::mt19937_64& random, size_t limit) {
  const uint64_t unbiased = std::mt19937_64::max() - std::mt19937_64::max() % limit;
  uint64_t number = random();
  while (number >= unbiased) {
    number = random();
  }
  return static_cast<size_t>(number % limit);
}

} // namespace

SeedableRandomSampler::SeedableRandomSampler(size_t size, uint64_t seed)
    : order_(size), seed_(seed) {
  shuffle();
}

void SeedableRandomSampler::set_epoch(size_t epoch) {
  epoch_ = epoch;
  fresh_ = true;
}

void SeedableRandomSampler::reset(torch::optional<size_t> new_size) {
  if (new_size) {
    order_.resize(*new_size);
  }
  epoch_ += fresh_ ? 0 : 1;
  fresh_ = false;
  at_ = 0;
  shuffle();
}

void SeedableRandomSampler::shuffle() {
  std::iota(order_.begin(), order_.end(), 0);
  std::mt19937_64 random(seed_ + epoch_);
  for (size_t left = order_.size(); left > 1; --left) {
    std::swap(order_[left - 1], order_[below(random, left)]);
  }
}

torch::optional<std::vector<size_t>> SeedableRandomSampler::next(size_t batch_size) {
  const size_t count = std::min(batch_size, order_.size() - at_);
  if (count == 0) {
    return torch::nullopt;
  }
  const auto first = order_.begin() + static_cast<std::ptrdiff_t>(at_);
  at_ += count;
  return std::vector<size_t>(first, first + static_cast<std::ptrdiff_t>(count));
}

void SeedableRandomSampler::save(torch::serialize::OutputArchive& archive) const {
  archive.write("state", torch::tensor({static_cast<int64_t>(order_.size()),
                                        static_cast<int64_t>(seed_), static_cast<int64_t>(epoch_),
                                        static_cast<int64_t>(at_), static_cast<int64_t>(fresh_)},
                                       torch::kInt64));
}

void SeedableRandomSampler::load(torch::serialize::InputArchive& archive) {
  torch::Tensor state;
  archive.read("state", state);
  const auto number = [&](int64_t i) { return state[i].item<int64_t>(); };
  order_.resize(static_cast<size_t>(number(0)));
  seed_ = static_cast<uint64_t>(number(1));
  epoch_ = static_cast<size_t>(number(2));
  fresh_ = number(4) != 0;
  shuffle();
  at_ = static_cast<size_t>(number(3));
}

} // namespace accel
