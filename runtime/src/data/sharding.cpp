#include <accel/sharding.h>

#include <algorithm>
#include <tuple>

namespace accel::detail {
namespace {

using Batches = std::vector<RowNumbers>;
using Bounds = std::pair<size_t, size_t>;

// The bounds of one of `size` contiguous shares of `rows` rows, the first ones a row longer.
Bounds even_bounds(size_t rows, size_t rank, size_t size) {
  const size_t each = rows / size;
  const size_t more = rows % size;
  const size_t begin = rank * each + std::min(rank, more);
  return {begin, begin + each + (rank < more ? 1 : 0)};
}

// The bounds of one of several shares of `each` rows, as far as there are rows.
Bounds short_bounds(size_t rows, size_t rank, size_t each) {
  return {std::min(rows, rank * each), std::min(rows, (rank + 1) * each)};
}

RowNumbers joined(const Batches& batches) {
  RowNumbers all;
  for (const auto& batch : batches) {
    all.insert(all.end(), batch.begin(), batch.end());
  }
  return all;
}

RowNumbers part(const RowNumbers& rows, Bounds bounds) {
  const auto begin = rows.begin();
  return {begin + static_cast<std::ptrdiff_t>(bounds.first),
          begin + static_cast<std::ptrdiff_t>(bounds.second)};
}

PlannedShare share_of(RowNumbers rows, size_t all_rows) {
  PlannedShare planned;
  planned.share.local_rows = static_cast<int64_t>(rows.size());
  planned.share.counted_rows = planned.share.local_rows;
  planned.share.all_rows = static_cast<int64_t>(all_rows);
  planned.rows = std::move(rows);
  return planned;
}

size_t as_size(int number) {
  return static_cast<size_t>(number);
}

size_t ceil_div(size_t a, size_t b) {
  return (a + b - 1) / b;
}

} // namespace

RoundPlanner::RoundPlanner(const Division& division) : division_(division) {}

void RoundPlanner::reset() {
  first_.clear();
  begun_ = false;
  dynamic_ = false;
}

std::optional<PlannedShare> RoundPlanner::plan(const Batches& batches, bool last) {
  const size_t wanted = division_.batches_a_round();
  size_t full = 0;
  for (size_t i = 0; i < batches.size(); ++i) {
    const bool ends_epoch = last && i + 1 == batches.size();
    full += batches[i].size() == division_.batch_size ? 1 : 0;
    dynamic_ = dynamic_ || (batches[i].size() != division_.batch_size && !ends_epoch);
  }
  if (!begun_ && division_.even_batches.value_or(false)) {
    first_ = batches;
  }
  begun_ = true;
  if (batches.empty()) {
    return std::nullopt;
  }
  if (division_.evaluation) {
    auto mine = whole_batch(batches);
    if (mine) {
      mine->share.all_rows = mine->share.local_rows;
      mine->share.evaluation = true;
    }
    return mine;
  }
  const bool complete = batches.size() == wanted;
  const bool regular = complete && full == wanted;
  if (!regular && division_.drop_last && !(complete && dynamic_)) {
    return std::nullopt;
  }
  if (!division_.split_batches && complete && (full == wanted || dynamic_)) {
    return plan_whole(batches);
  }
  if (!division_.even_batches) {
    return plan_exact(batches);
  }
  return *division_.even_batches ? plan_filled(batches) : plan_uneven(batches);
}

std::optional<PlannedShare> RoundPlanner::whole_batch(const Batches& batches) const {
  const size_t rank = as_size(division_.rank);
  if (rank >= batches.size()) {
    return std::nullopt;
  }
  return share_of(batches[rank], joined(batches).size());
}

std::optional<PlannedShare> RoundPlanner::plan_whole(const Batches& batches) const {
  auto mine = whole_batch(batches);
  if (mine && division_.even_batches.value_or(false)) {
    mine->share.all_rows = mine->share.local_rows * division_.size;
  }
  return mine;
}

PlannedShare RoundPlanner::plan_exact(const Batches& batches) const {
  const size_t rank = as_size(division_.rank);
  const RowNumbers all = joined(batches);
  if (division_.keep_whole && !division_.split_batches) {
    const bool repeated = rank >= batches.size();
    auto planned = share_of(batches[repeated ? 0 : rank], all.size());
    planned.share.repeated = repeated;
    planned.share.counted_rows = repeated ? 0 : planned.share.local_rows;
    return planned;
  }
  auto bounds = even_bounds(all.size(), rank, as_size(division_.size));
  const bool repeated = bounds.first == bounds.second;
  if (repeated) {
    bounds = even_bounds(all.size(), 0, as_size(division_.size));
  }
  auto planned = share_of(part(all, bounds), all.size());
  planned.share.repeated = repeated;
  planned.share.counted_rows = repeated ? 0 : planned.share.local_rows;
  return planned;
}

PlannedShare RoundPlanner::plan_filled(const Batches& batches) const {
  const size_t rank = as_size(division_.rank);
  const size_t size = as_size(division_.size);
  PlannedShare planned;
  if (dynamic_ && !division_.split_batches) {
    const bool missing = rank >= batches.size();
    planned =
        share_of(missing ? first_[(rank - batches.size()) % first_.size()] : batches[rank], 0);
    planned.share.counted_rows = missing ? 0 : planned.share.local_rows;
  } else {
    RowNumbers all = joined(batches);
    const size_t rows = all.size();
    // A batch of the sampler's own size can be longer than a whole one.
    const size_t each =
        std::max(division_.split_batches ? division_.batch_size / size : division_.batch_size,
                 ceil_div(rows, size));
    const RowNumbers fill = joined(first_);
    for (size_t i = 0; all.size() < each * size; ++i) {
      all.push_back(fill[i % fill.size()]);
    }
    planned = share_of(part(all, {rank * each, (rank + 1) * each}), 0);
    const auto counted = short_bounds(rows, rank, each);
    planned.share.counted_rows = static_cast<int64_t>(counted.second - counted.first);
  }
  planned.share.all_rows = planned.share.local_rows * division_.size;
  return planned;
}

std::optional<PlannedShare> RoundPlanner::plan_uneven(const Batches& batches) const {
  std::optional<PlannedShare> mine;
  size_t taking = batches.size();
  if (division_.split_batches) {
    const size_t size = as_size(division_.size);
    const RowNumbers& all = batches.front();
    const size_t each =
        std::max(division_.batch_size / size, ceil_div(all.size(), size) * (dynamic_ ? 1 : 0));
    taking = ceil_div(all.size(), each);
    const auto bounds = short_bounds(all.size(), as_size(division_.rank), each);
    if (bounds.first < bounds.second) {
      mine = share_of(part(all, bounds), all.size());
    }
  } else {
    mine = whole_batch(batches);
  }
  if (mine) {
    // Not every process takes part: nothing may be exchanged.
    mine->share.evaluation = taking < as_size(division_.size);
  }
  return mine;
}

size_t count_batches(const Division& division, size_t rows) {
  const size_t size = as_size(division.size);
  const size_t rank = as_size(division.rank);
  const size_t rest = rows % division.batch_size;
  const size_t full = rows / division.batch_size;
  const size_t batches = full + (rest > 0 && !division.drop_last ? 1 : 0);
  const bool uneven = division.evaluation || !division.even_batches.value_or(true);
  if (division.split_batches && !division.evaluation) {
    const bool absent = uneven && batches > full && rest <= rank * (division.batch_size / size);
    return absent ? full : batches;
  }
  if (division.drop_last && !division.evaluation) {
    return batches / size;
  }
  return batches / size + ((uneven ? rank : 0) < batches % size ? 1 : 0);
}

int64_t remainder(const Division& division, size_t rows) {
  if (division.drop_last) {
    return -1;
  }
  return static_cast<int64_t>(rows % (division.batch_size * division.batches_a_round()));
}

} // namespace accel::detail
