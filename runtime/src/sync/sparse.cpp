// The sparse gradients of embeddings: no bucket, the processes' rows are gathered instead.
#include "sync/synchroniser.h"

#include <algorithm>
#include <utility>

namespace accel::detail {
namespace {

// The processes' tensors, of different lengths along their first dimension, in one.
torch::Tensor gather_rows(Group& group, const torch::Tensor& rows,
                          const std::vector<int64_t>& lengths, const std::string& what) {
  const int64_t most = *std::max_element(lengths.begin(), lengths.end());
  auto sizes = rows.sizes().vec();
  sizes[0] = most;
  auto padded = torch::zeros(sizes, rows.options());
  padded.narrow(0, 0, rows.size(0)).copy_(rows);
  const auto all = group.all_gather(padded, what);
  std::vector<torch::Tensor> parts;
  for (size_t rank = 0; rank < lengths.size(); ++rank) {
    parts.push_back(all[static_cast<int64_t>(rank)].narrow(0, 0, lengths[rank]));
  }
  return torch::cat(parts);
}

} // namespace

// Makes the gradient this process's addend; see contribute().
void Synchroniser::contribute_sparse(Slot& slot) {
  if (slot.present) {
    const torch::Tensor gradient = slot.parameter.grad().detach();
    TORCH_CHECK(gradient.is_sparse(), "accel: the gradient of ", slot.name,
                " is dense, but its embedding was made with sparse(true). Is the weight used "
                "elsewhere too? Then make the embedding with sparse(false).");
    if (is_untouched(slot)) {
      if (state_->rank() != 0) {
        slot.parameter.mutable_grad() = torch::Tensor();
      }
    } else {
      const double factor = slot.condition == Condition::Raw ? 1.0 / state_->size()
                                                             : state_->current_share().fraction();
      slot.parameter.mutable_grad() = gradient * factor;
    }
    slot.kept = torch::Tensor();
  }
  slot.condition = Condition::Local;
}

// Sums the sparse gradients that any process has, in the order of the processes: the same bits on
// all of them.
void Synchroniser::reduce_sparse() {
  if (!any_sparse_) {
    return;
  }
  torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> mine(slots_.size());
  // -1: no gradient, which the votes can't tell: they may leave before it is there.
  auto lengths = torch::full({static_cast<int64_t>(slots_.size())}, -1, torch::kLong);
  for (size_t i = 0; i < slots_.size(); ++i) {
    const torch::Tensor& gradient = slots_[i].parameter.grad();
    if (slots_[i].sparse && gradient.defined()) {
      mine[i] = gradient.detach().coalesce();
      lengths[static_cast<int64_t>(i)] = mine[i]._nnz();
    }
  }
  const auto all = group_->all_gather(lengths, "the exchange of sparse gradients");
  for (size_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    if (!slot.sparse) {
      continue;
    }
    slot.condition = Condition::Equal;
    const auto column = all.select(1, static_cast<int64_t>(i));
    slot.present = column.max().item<int64_t>() >= 0;
    if (slot.present) {
      const auto counts = column.clamp_min(0).contiguous();
      take_sparse(slot, sum_of_rows(slot, mine[i],
                                    {counts.data_ptr<int64_t>(),
                                     counts.data_ptr<int64_t>() + counts.numel()}));
    }
  }
}

// `mine`: this process's gradient, undefined where it has none.
torch::Tensor Synchroniser::sum_of_rows(const Slot& slot, const torch::Tensor& mine,
                                        const std::vector<int64_t>& counts) {
  auto none = slot.sizes;
  none[0] = 0;
  const auto options = torch::TensorOptions(slot.dtype).device(slot.device);
  const auto indices = mine.defined() ? mine.indices().t().contiguous()
                                      : torch::zeros({0, 1}, options.dtype(torch::kLong));
  const auto values = mine.defined() ? mine.values() : torch::zeros(none, options);
  const auto where = gather_rows(*group_, indices, counts, slot.name);
  const auto what = gather_rows(*group_, values, counts, slot.name);
  return torch::sparse_coo_tensor(where.t(), what, slot.sizes).coalesce();
}

void Synchroniser::take_sparse(Slot& slot, const torch::Tensor& sum) {
  slot.kept = sum;
  slot.parameter.mutable_grad() = sum;
  slot.version = sum._version();
}

} // namespace accel::detail
