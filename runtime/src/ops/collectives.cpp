#include "ops/collectives.h"

#include <accel/collectives.h>
#include <accel/share.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace accel::detail {
namespace {

Record record_of(Record::Action action, const torch::Tensor& tensor, Reduction reduction) {
  Record record;
  record.action = action;
  record.detail = static_cast<int32_t>(reduction);
  record.describe(tensor);
  return record;
}

bool fits_record(const torch::Tensor& tensor) {
  return tensor.nbytes() <= static_cast<size_t>(Record::payload_bytes);
}

torch::Tensor from_record(const Record& record, const torch::Tensor& like) {
  auto tensor = torch::empty(record.shape(), torch::TensorOptions(like.scalar_type()));
  if (record.used > 0) {
    std::memcpy(tensor.data_ptr(), record.payload, static_cast<size_t>(record.used));
  }
  return tensor;
}

torch::Tensor add_or_max(const torch::Tensor& a, const torch::Tensor& b, Reduction reduction) {
  if (a.scalar_type() == torch::kBool) {
    return a.logical_or(b);
  }
  return reduction == Max ? torch::maximum(a, b) : a + b;
}

// `tensor` is this process's addend, in memory of its own. A small one travels in the record and is
// reduced here in the order of the processes: the same bits on all of them.
torch::Tensor reduce_addend(State& state, Record record, torch::Tensor addend,
                            Reduction reduction) {
  const bool in_record = fits_record(addend);
  torch::Tensor host;
  if (in_record) {
    host = addend.cpu();
    record.set_payload(host.data_ptr(), host.nbytes());
  }
  const auto records = state.exchange(record);
  check_same_tensor(records, 0);
  if (in_record) {
    torch::Tensor result = from_record(records.front(), host);
    for (size_t rank = 1; rank < records.size(); ++rank) {
      result = add_or_max(result, from_record(records[rank], host), reduction);
    }
    return result.to(addend.device());
  }
  state.group().all_reduce(addend, reduction == Max ? Max : Sum).wait(record.text());
  return addend;
}

torch::Tensor own_copy(const torch::Tensor& tensor) {
  return tensor.detach().clone(torch::MemoryFormat::Contiguous);
}

} // namespace

torch::Tensor reduce(State& state, const torch::Tensor& tensor, Reduction reduction) {
  if (state.size() == 1) {
    return own_copy(tensor);
  }
  torch::NoGradGuard no_grad;
  const Record record = record_of(Record::Action::Reduce, tensor, reduction);
  TORCH_CHECK(reduction != Mean || tensor.is_floating_point() || tensor.is_complex(),
              "accel: the mean of a ", c10::toString(tensor.scalar_type()),
              " tensor is not of that dtype; convert it first");
  TORCH_CHECK(reduction != Max || !tensor.is_complex(), "accel: complex numbers have no maximum");
  auto result = reduce_addend(state, record, own_copy(tensor), reduction);
  return reduction == Mean ? result.div_(state.size()) : result;
}

torch::Tensor reduce_number(State& state, const torch::Tensor& number, Reduction reduction) {
  if (reduction == Mean && !number.is_floating_point()) {
    return (reduce(state, number, Sum).to(torch::kDouble) / state.size()).to(torch::kInt64);
  }
  return reduce(state, number, reduction);
}

torch::Tensor share(const State& state, const torch::Tensor& loss) {
  if (state.size() == 1) {
    return loss;
  }
  const double fraction = state.current_share().fraction();
  return fraction == 0.0 ? torch::zeros_like(loss) : loss * fraction;
}

torch::Tensor mean(State& state, const torch::Tensor& loss) {
  if (state.size() == 1) {
    return loss.detach();
  }
  torch::NoGradGuard no_grad;
  const Record record = record_of(Record::Action::Mean, loss, Mean);
  TORCH_CHECK(loss.is_floating_point(), "accel: mean() takes a floating-point tensor, not a ",
              c10::toString(loss.scalar_type()), " one");
  return reduce_addend(state, record, own_copy(share(state, loss)), Sum);
}

torch::Tensor gather(State& state, const torch::Tensor& tensor) {
  torch::NoGradGuard no_grad;
  torch::Tensor rows = own_copy(tensor);
  if (rows.dim() == 0) {
    rows = rows.unsqueeze(0);
  }
  if (state.size() == 1) {
    return rows;
  }
  const Record record = record_of(Record::Action::Gather, rows, Sum);
  const auto records = state.exchange(record);
  check_same_tensor(records, 1);
  int64_t most = 0;
  for (const Record& other : records) {
    most = std::max(most, other.sizes[0]);
  }
  auto sizes = rows.sizes().vec();
  sizes[0] = most;
  auto padded = rows;
  if (rows.size(0) < most) {
    padded = torch::zeros(sizes, rows.options());
    padded.narrow(0, 0, rows.size(0)).copy_(rows);
  }
  const auto all = state.group().all_gather(padded, record.text());
  std::vector<torch::Tensor> parts;
  for (size_t rank = 0; rank < records.size(); ++rank) {
    parts.push_back(all[static_cast<int64_t>(rank)].narrow(0, 0, records[rank].sizes[0]));
  }
  return torch::cat(parts);
}

void wait_for_everyone(State& state) {
  if (state.size() > 1) {
    state.exchange(Record{});
  }
}

void follow_main_process(State& state, std::vector<int64_t>& words) {
  Record record;
  record.action = Record::Action::Order;
  record.value = static_cast<int64_t>(words.size());
  const size_t bytes = words.size() * sizeof(int64_t);
  if (state.rank() == 0 && bytes <= static_cast<size_t>(Record::payload_bytes)) {
    record.set_payload(words.data(), bytes);
  }
  const Record main = state.exchange(record).front();
  words.resize(static_cast<size_t>(main.value));
  if (main.used > 0) {
    std::memcpy(words.data(), main.payload, static_cast<size_t>(main.used));
    return;
  }
  auto tensor = torch::from_blob(words.data(), {main.value}, torch::kInt64);
  state.group().broadcast(tensor, 0).wait(record.text());
}

} // namespace accel::detail

namespace accel {

torch::Tensor Collectives::mean(const torch::Tensor& loss) const {
  return detail::mean(*state_, loss);
}

torch::Tensor Collectives::share(const torch::Tensor& loss) const {
  return detail::share(*state_, loss);
}

bool Collectives::repeats_rows() const {
  return state_->current_share().repeated;
}

torch::Tensor Collectives::reduce(const torch::Tensor& tensor, Reduction reduction) const {
  return detail::reduce(*state_, tensor, reduction);
}

torch::Tensor Collectives::gather(const torch::Tensor& tensor) const {
  return detail::gather(*state_, tensor);
}

} // namespace accel
