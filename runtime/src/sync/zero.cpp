#include "sync/zero.h"

#include <cstring>

namespace accel::detail {

bool is_all_zero(const torch::Tensor& tensor) {
  if (!tensor.is_cpu() || !tensor.is_non_overlapping_and_dense() || tensor.numel() == 0) {
    return false;
  }
  const auto* bytes = static_cast<const char*>(tensor.data_ptr());
  const size_t count = tensor.nbytes();
  return bytes[0] == 0 && std::memcmp(bytes, bytes + 1, count - 1) == 0;
}

} // namespace accel::detail
