#include <accel/share.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace accel::detail {
namespace {

// The bounds of one of `size` contiguous shares of `rows` rows, the first ones a row longer.
std::pair<size_t, size_t> bounds(size_t rows, size_t rank, size_t size) {
  const size_t each = rows / size;
  const size_t more = rows % size;
  const size_t begin = rank * each + std::min(rank, more);
  return {begin, begin + each + (rank < more ? 1 : 0)};
}

// Whole batches go to processes where there is one for each, and not merely the last one is short.
bool is_divided(const std::vector<std::vector<size_t>>& batches, size_t batch_size, size_t size,
                bool split) {
  if (split || batches.size() < size) {
    return true;
  }
  const bool others_full = std::all_of(batches.begin(), batches.end() - 1, [&](const auto& batch) {
    return batch.size() == batch_size;
  });
  return others_full && batches.back().size() < batch_size;
}

} // namespace

PlannedShare plan_round(const std::vector<std::vector<size_t>>& batches, size_t batch_size,
                        int rank, int size, bool split) {
  const auto processes = static_cast<size_t>(size);
  const auto mine = static_cast<size_t>(rank);
  std::vector<size_t> all;
  for (const auto& batch : batches) {
    all.insert(all.end(), batch.begin(), batch.end());
  }
  PlannedShare planned;
  if (is_divided(batches, batch_size, processes, split)) {
    auto [begin, end] = bounds(all.size(), mine, processes);
    if (begin == end) {
      planned.share.repeated = true;
      std::tie(begin, end) = bounds(all.size(), 0, processes);
    }
    planned.rows.assign(all.begin() + static_cast<std::ptrdiff_t>(begin),
                        all.begin() + static_cast<std::ptrdiff_t>(end));
  } else {
    planned.rows = batches[mine];
  }
  planned.share.local_rows = static_cast<int64_t>(planned.rows.size());
  planned.share.counted_rows = planned.share.repeated ? 0 : planned.share.local_rows;
  planned.share.all_rows = static_cast<int64_t>(all.size());
  return planned;
}

} // namespace accel::detail
