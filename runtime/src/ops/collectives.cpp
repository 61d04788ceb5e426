#include "ops/collectives.h"

#include "ops/checks.h"

#include <accel/collectives.h>
#include <accel/share.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace accel::detail {
namespace {

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

// Puts a small tensor into the record; returns it on the host.
torch::Tensor into_record(Record& record, const torch::Tensor& tensor) {
  torch::Tensor host = tensor.cpu();
  record.set_payload(host.data_ptr(), host.nbytes());
  return host;
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
  const bool usable = record.problem == Record::Problem::None;
  const bool in_record = usable && fits_record(addend);
  torch::Tensor host;
  if (in_record) {
    host = into_record(record, addend);
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

bool is_defined_for(Reduction reduction, const torch::Tensor& tensor) {
  if (reduction == Mean) {
    return tensor.is_floating_point() || tensor.is_complex();
  }
  return reduction != Max || !tensor.is_complex();
}

torch::Tensor reduce(State& state, Record record, const torch::Tensor& tensor,
                     Reduction reduction) {
  record.detail = static_cast<int32_t>(reduction);
  if (record.problem == Record::Problem::None && !is_defined_for(reduction, tensor)) {
    record.problem = Record::Problem::Dtype;
  }
  torch::Tensor addend = own_copy(tensor, record);
  if (state.size() == 1) {
    check_alone(record);
    return addend;
  }
  const auto result = reduce_addend(state, record, addend, reduction);
  return reduction == Mean ? result / state.size() : result;
}

torch::Tensor gather(State& state, const Record& record, const torch::Tensor& rows) {
  if (state.size() == 1) {
    check_alone(record);
    return rows;
  }
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

torch::Tensor broadcast(State& state, Record record, const torch::Tensor& tensor, int from) {
  record.detail = from;
  torch::Tensor value = own_copy(tensor, record);
  const bool in_record = record.problem == Record::Problem::None && fits_record(value);
  if (in_record) {
    into_record(record, value);
  }
  const auto records = state.size() == 1 ? std::vector<Record>{record} : state.exchange(record);
  check_same_tensor(records, 0);
  check_root(records);
  if (in_record) {
    return from_record(records[static_cast<size_t>(from)], value).to(value.device());
  }
  if (state.size() > 1) {
    // As bytes, so that every dtype is the same to the backends.
    state.group().broadcast(value.view(-1).view(torch::kByte), from).wait(record.text());
  }
  return value;
}

torch::Tensor pad(State& state, const Record& record, const torch::Tensor& tensor,
                  const PadOptions& options) {
  auto value = own_copy(tensor, record);
  if (state.size() == 1) {
    check_alone(record);
    return value;
  }
  const auto records = state.exchange(record);
  check_same_kind(records);
  if (options.dim >= value.dim() || options.dim < -value.dim()) {
    return value;
  }
  const int64_t dim = options.dim < 0 ? options.dim + value.dim() : options.dim;
  int64_t most = 0;
  for (const Record& other : records) {
    most = std::max(most, other.sizes[dim]);
  }
  const int64_t length = value.size(dim);
  if (length == most) {
    return value;
  }
  auto sizes = value.sizes().vec();
  sizes[static_cast<size_t>(dim)] = most;
  auto padded = torch::full(sizes, options.value, value.options());
  padded.narrow(dim, options.first ? most - length : 0, length).copy_(value);
  return padded;
}

// Where the rows of the current batch are to be counted once: the leading ones of `rows`.
torch::Tensor counted_rows(const State& state, const torch::Tensor& rows, Record& record) {
  if (!state.in_loop() || record.problem != Record::Problem::None) {
    return rows;
  }
  const Share share = state.current_share();
  if (rows.size(0) != share.local_rows) {
    record.problem = Record::Problem::Rows;
    return rows;
  }
  record.sizes[0] = share.counted_rows;
  return rows.narrow(0, 0, share.counted_rows);
}

} // namespace

Tensors reduce(State& state, const Tensors& tensors, uint64_t structure, Reduction reduction) {
  if (reduction == Reduction::None) {
    Tensors copies;
    for (const auto& tensor : tensors) {
      copies.push_back(tensor.defined() ? tensor.detach().clone() : tensor);
    }
    return copies;
  }
  return for_each(state, Record::Action::Reduce, tensors, structure,
                  [&](const Record& record, const torch::Tensor& tensor) {
                    return reduce(state, record, tensor, reduction);
                  });
}

Tensors gather(State& state, const Tensors& tensors, uint64_t structure, bool for_metrics) {
  const auto action = for_metrics ? Record::Action::GatherForMetrics : Record::Action::Gather;
  return for_each(state, action, tensors, structure, [&](Record record, torch::Tensor tensor) {
    if (for_metrics && state.in_loop() && tensor.defined() && tensor.dim() == 0) {
      record.problem = Record::Problem::Rows;
    }
    tensor = own_copy(tensor, record);
    if (tensor.dim() == 0) {
      tensor = tensor.unsqueeze(0);
      record.dims = 1;
      record.sizes[0] = 1;
    }
    if (for_metrics) {
      tensor = counted_rows(state, tensor, record);
    }
    return gather(state, record, tensor);
  });
}

Tensors broadcast(State& state, const Tensors& tensors, uint64_t structure, int from) {
  return for_each(state, Record::Action::Broadcast, tensors, structure,
                  [&](const Record& record, const torch::Tensor& tensor) {
                    return broadcast(state, record, tensor, from);
                  });
}

Tensors pad(State& state, const Tensors& tensors, uint64_t structure, const PadOptions& options) {
  return for_each(state, Record::Action::Pad, tensors, structure,
                  [&](const Record& record, const torch::Tensor& tensor) {
                    return pad(state, record, tensor, options);
                  });
}

torch::Tensor reduce(State& state, const torch::Tensor& tensor, Reduction reduction) {
  return reduce(state, Tensors{tensor}, 0, reduction).front();
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
  const auto add = [&](Record record, const torch::Tensor& tensor) {
    record.detail = static_cast<int32_t>(Mean);
    if (record.problem == Record::Problem::None && !tensor.is_floating_point()) {
      record.problem = Record::Problem::Dtype;
    }
    const auto mine = record.problem == Record::Problem::None ? share(state, tensor) : tensor;
    return reduce_addend(state, record, own_copy(mine, record), Sum);
  };
  return for_each(state, Record::Action::Mean, {loss}, 0, add).front();
}

void wait_for_everyone(State& state) {
  if (state.size() > 1) {
    state.exchange(Record{});
  }
}

void follow_main_process(State& state, std::vector<int64_t>& words) {
  const std::string bytes = bytes_of_main(state, Record::Action::Order, [&words] {
    return std::string(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(int64_t));
  });
  words.resize(bytes.size() / sizeof(int64_t));
  std::memcpy(words.data(), bytes.data(), bytes.size());
}

} // namespace accel::detail
