// Flat memory for gradients: which parameter's gradient lies where. Knows nothing of when a bucket
// is reduced or of what is done with it afterwards.
#pragma once

#include "comm/group.h"

#include <torch/types.h>

#include <cstdint>
#include <vector>

namespace accel::detail {

/// One flat piece of memory, of one dtype on one device, for the gradients of some parameters.
struct Bucket {
  /// All values: `values` of gradients, then what the owner of the bucket asked room for.
  torch::Tensor flat;
  int64_t values = 0;
  /// The parameters in it (positions in the list they were planned from) and where each begins.
  std::vector<size_t> members;
  std::vector<int64_t> offsets;
};

/// Puts those of the parameters that `which` names in buckets, the last first: backward makes their
/// gradients in about that order. A bucket holds up to `cap` bytes, the first up to `first_cap`, or
/// one larger parameter.
std::vector<Bucket> plan_buckets(const std::vector<torch::Tensor>& parameters,
                                 const std::vector<size_t>& which, double first_cap, double cap);

/// What a bucket's memory must be, with room for `extra` more elements at its end.
Extent extent_of(const Bucket& bucket, const std::vector<torch::Tensor>& parameters, int64_t extra);

/// A tensor over `parameter`'s part of a bucket that begins at `offset`: not a view to autograd, so
/// whatever a program does with a gradient can be done with it.
torch::Tensor part_of(const Bucket& bucket, int64_t offset, const torch::Tensor& parameter);

} // namespace accel::detail
