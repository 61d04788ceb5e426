#include "comm/shared_sum.h"

#include <algorithm>
#include <type_traits>

namespace accel::detail {
namespace {

// Elements that are summed at a time: small enough to stay in a core's first cache.
constexpr size_t block = 2048;

template <class T> T* elements(std::byte* memory, size_t begin) {
  return reinterpret_cast<T*>(memory) + begin;
}

// Two processes on one machine, the usual case: one pass, no buffer.
template <class T> void sum_two(T* __restrict first, T* __restrict second, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const T sum = first[i] + second[i];
    first[i] = sum;
    second[i] = sum;
  }
}

template <class T, class Total> void assign(const T* from, Total* __restrict total, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    total[i] = static_cast<Total>(from[i]);
  }
}

template <class T, class Total> void add(const T* from, Total* __restrict total, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    total[i] += static_cast<Total>(from[i]);
  }
}

template <class T, class Total>
void sum_blocks(const std::vector<std::byte*>& inputs, const std::vector<std::byte*>& outputs,
                size_t begin, size_t end) {
  if constexpr (std::is_same_v<T, Total>) {
    if (inputs.size() == 2 && inputs == outputs) {
      sum_two(elements<T>(inputs[0], begin), elements<T>(inputs[1], begin), end - begin);
      return;
    }
  }
  alignas(64) Total total[block];
  for (size_t first = begin; first < end; first += block) {
    const size_t count = std::min(block, end - first);
    assign(elements<T>(inputs.front(), first), total, count);
    for (size_t i = 1; i < inputs.size(); ++i) {
      add(elements<T>(inputs[i], first), total, count);
    }
    for (std::byte* output : outputs) {
      assign(total, elements<T>(output, first), count);
    }
  }
}

} // namespace

bool can_sum(torch::ScalarType dtype) {
  const auto real = c10::toRealValueType(dtype);
  return real == torch::kFloat || real == torch::kDouble || dtype == torch::kHalf ||
         dtype == torch::kBFloat16;
}

void sum_in_order(torch::ScalarType dtype, const std::vector<std::byte*>& inputs,
                  const std::vector<std::byte*>& outputs, size_t begin, size_t end) {
  const auto real = c10::toRealValueType(dtype);
  if (real != dtype) { // a complex number is two real ones
    begin *= 2;
    end *= 2;
  }
  switch (real) {
  case torch::kFloat:
    return sum_blocks<float, float>(inputs, outputs, begin, end);
  case torch::kDouble:
    return sum_blocks<double, double>(inputs, outputs, begin, end);
  case torch::kHalf:
    return sum_blocks<at::Half, float>(inputs, outputs, begin, end);
  case torch::kBFloat16:
    return sum_blocks<at::BFloat16, float>(inputs, outputs, begin, end);
  default:
    TORCH_INTERNAL_ASSERT(false, "dtype ", c10::toString(dtype));
  }
}

} // namespace accel::detail
