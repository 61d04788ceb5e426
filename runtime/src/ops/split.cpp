#include <accel/split.h>

#include <algorithm>
#include <cstdlib>

namespace accel::detail {

Part part_of(int64_t length, int rank, int size, bool padding) {
  const int64_t least = length / size;
  const int64_t longer = length % size;
  Part part;
  part.begin = rank * least + std::min<int64_t>(rank, longer);
  part.end = part.begin + least + (rank < longer ? 1 : 0);
  if (padding && longer != 0) {
    part.padding = least + 1 - (part.end - part.begin);
    // Where there are fewer elements than processes, some have none of their own.
    part.repeated = part.end > part.begin ? part.end - 1 : length - 1;
  }
  return part;
}

torch::Tensor take_part(const torch::Tensor& tensor, const Part& part) {
  auto mine = tensor.slice(0, part.begin, part.end);
  if (part.padding == 0) {
    return mine;
  }
  auto sizes = tensor.sizes().vec();
  sizes[0] = part.padding;
  return torch::cat({mine, tensor.slice(0, part.repeated, part.repeated + 1).expand(sizes)});
}

int64_t length_of(const torch::Tensor& tensor) {
  TORCH_CHECK(tensor.defined() && tensor.dim() > 0,
              "accel: split_between_processes() takes tensors of at least one dimension");
  return tensor.size(0);
}

void refuse_lengths(int64_t first, int64_t other) {
  TORCH_CHECK(false,
              "accel: split_between_processes() takes maps whose values are equally long, not ",
              first, " and ", other);
  std::abort(); // never reached: the compiler doesn't know what TORCH_CHECK does with false
}

} // namespace accel::detail
