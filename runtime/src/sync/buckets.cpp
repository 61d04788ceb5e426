#include "sync/buckets.h"

#include <algorithm>

namespace accel::detail {
namespace {

constexpr int64_t alignment = 64; // bytes: a cache line

int64_t aligned_numel(const torch::Tensor& parameter) {
  const int64_t step =
      std::max<int64_t>(1, alignment / static_cast<int64_t>(parameter.element_size()));
  return (parameter.numel() + step - 1) / step * step;
}

struct Open {
  torch::ScalarType dtype;
  torch::Device device;
  size_t bucket;
};

} // namespace

std::vector<Bucket> plan_buckets(const std::vector<torch::Tensor>& parameters,
                                 const std::vector<size_t>& which, double first_cap, double cap) {
  std::vector<Bucket> buckets;
  std::vector<Open> open;
  for (auto next = which.rbegin(); next != which.rend(); ++next) {
    const size_t i = *next;
    const torch::Tensor& parameter = parameters[i];
    const int64_t numel = aligned_numel(parameter);
    auto fits = std::find_if(open.begin(), open.end(), [&](const Open& candidate) {
      return candidate.dtype == parameter.scalar_type() && candidate.device == parameter.device();
    });
    if (fits != open.end()) {
      const double limit = fits->bucket == 0 ? first_cap : cap;
      const auto bytes = static_cast<double>((buckets[fits->bucket].values + numel) *
                                             static_cast<int64_t>(parameter.element_size()));
      if (bytes > limit) {
        open.erase(fits);
        fits = open.end();
      }
    }
    if (fits == open.end()) {
      open.push_back({parameter.scalar_type(), parameter.device(), buckets.size()});
      buckets.emplace_back();
      fits = open.end() - 1;
    }
    Bucket& bucket = buckets[fits->bucket];
    bucket.members.push_back(i);
    bucket.offsets.push_back(bucket.values);
    bucket.values += numel;
  }
  return buckets;
}

Extent extent_of(const Bucket& bucket, const std::vector<torch::Tensor>& parameters,
                 int64_t extra) {
  const torch::Tensor& first = parameters[bucket.members.front()];
  return {bucket.values + extra, first.scalar_type(), first.device()};
}

torch::Tensor part_of(const Bucket& bucket, int64_t offset, const torch::Tensor& parameter) {
  // Autograd's own rule: the gradient of a dense parameter has the parameter's strides.
  const bool dense = parameter.is_non_overlapping_and_dense();
  const auto sizes = parameter.sizes();
  const auto strides =
      dense ? parameter.strides().vec() : torch::empty(sizes, torch::kMeta).strides().vec();
  torch::NoGradGuard no_grad;
  auto part = torch::empty({0}, bucket.flat.options());
  part.set_(bucket.flat.storage(), offset, sizes, strides);
  return part;
}

} // namespace accel::detail
