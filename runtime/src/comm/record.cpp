#include "comm/record.h"

#include <cstring>
#include <sstream>
#include <type_traits>

namespace accel::detail {
namespace {

static_assert(std::is_trivially_copyable_v<Record>);

const char* name_of(Record::Action action) {
  switch (action) {
  case Record::Action::Reduce:
    return "reduce";
  case Record::Action::Gather:
    return "gather";
  case Record::Action::Mean:
    return "mean";
  case Record::Action::Barrier:
    return "wait_for_everyone";
  case Record::Action::Order:
    return "the order of a data loader";
  case Record::Action::Save:
    return "save";
  case Record::Action::Backward:
    return "backward";
  case Record::Action::Verify:
    return "prepare";
  case Record::Action::Exit:
    return "the end of the program";
  case Record::Action::Batch:
    return "a batch from process 0";
  }
  return "?";
}

const char* name_of(Reduction reduction) {
  return reduction == Reduction::Sum ? "sum" : reduction == Reduction::Mean ? "mean" : "max";
}

} // namespace

void Record::describe(const torch::Tensor& tensor) {
  TORCH_CHECK(tensor.defined(), "accel: ", name_of(action), "() was given an undefined tensor");
  TORCH_CHECK(tensor.dim() <= max_dims, "accel: ", name_of(action), "() takes tensors of up to ",
              max_dims, " dimensions, not ", tensor.dim());
  dtype = static_cast<int32_t>(tensor.scalar_type());
  dims = static_cast<int32_t>(tensor.dim());
  for (int32_t dim = 0; dim < dims; ++dim) {
    sizes[dim] = tensor.size(dim);
  }
}

void Record::set_payload(const void* data, size_t bytes) {
  TORCH_INTERNAL_ASSERT(bytes <= payload_bytes);
  used = static_cast<int32_t>(bytes);
  if (bytes > 0) {
    std::memcpy(payload, data, bytes);
  }
}

std::string Record::text() const {
  std::ostringstream out;
  out << name_of(action);
  if (action == Action::Reduce) {
    out << "(" << name_of(static_cast<Reduction>(detail)) << ")";
  }
  if (dtype >= 0) {
    out << " of " << c10::toString(static_cast<c10::ScalarType>(dtype)) << " [";
    for (int32_t dim = 0; dim < dims; ++dim) {
      out << (dim > 0 ? ", " : "") << sizes[dim];
    }
    out << "]";
  }
  return out.str();
}

std::string list_records(const std::vector<Record>& records) {
  std::ostringstream out;
  for (size_t rank = 0; rank < records.size(); ++rank) {
    out << "\n  process " << rank << ": " << records[rank].text();
  }
  return out.str();
}

std::vector<Record> exchange(Group& group, const Record& mine, int rank,
                             std::chrono::milliseconds limit) {
  auto bytes = torch::empty({static_cast<int64_t>(sizeof(Record))}, torch::kByte);
  std::memcpy(bytes.data_ptr(), &mine, sizeof(Record));
  const auto all = group.all_gather(bytes, mine.text(), limit);
  std::vector<Record> records(static_cast<size_t>(all.size(0)));
  std::memcpy(static_cast<void*>(records.data()), all.data_ptr(), records.size() * sizeof(Record));
  for (const Record& record : records) {
    TORCH_CHECK(record.action == mine.action,
                "accel: the processes called different collectives; process ", rank, " called ",
                mine.text(), ":", list_records(records),
                "\nEvery process must call the same ones in the same order.");
  }
  return records;
}

void check_same_tensor(const std::vector<Record>& records, int from_dim) {
  const Record& first = records.front();
  for (const Record& record : records) {
    bool same =
        record.dtype == first.dtype && record.detail == first.detail && record.dims == first.dims;
    for (int dim = from_dim; same && dim < record.dims; ++dim) {
      same = record.sizes[dim] == first.sizes[dim];
    }
    TORCH_CHECK(same, "accel: the processes passed different tensors:", list_records(records),
                "\nThe shapes", from_dim > 0 ? " after the first dimension" : "",
                " and the dtypes must be the same on every process.");
  }
}

} // namespace accel::detail
