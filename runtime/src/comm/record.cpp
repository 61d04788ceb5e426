#include "comm/record.h"

#include "comm/reason.h"

#include <algorithm>
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
  case Record::Action::GatherForMetrics:
    return "gather_for_metrics";
  case Record::Action::Broadcast:
    return "broadcast";
  case Record::Action::Pad:
    return "pad_across_processes";
  case Record::Action::GatherObject:
    return "gather_object";
  case Record::Action::BroadcastObject:
    return "broadcast_object";
  case Record::Action::Trigger:
    return "check_trigger";
  case Record::Action::MainFirst:
    return "main_process_first";
  case Record::Action::LocalMainFirst:
    return "local_main_process_first";
  case Record::Action::Log:
    return "a log message in order";
  case Record::Action::Batch:
    return "a batch from process 0";
  }
  return "?";
}

const char* name_of(Reduction reduction) {
  return reduction == Reduction::Sum ? "sum" : reduction == Reduction::Mean ? "mean" : "max";
}

// What is wrong with what a process passed, after the name of the call.
const char* text_of(Record::Problem problem) {
  switch (problem) {
  case Record::Problem::None:
    return "";
  case Record::Problem::Undefined:
    return " of an undefined tensor";
  case Record::Problem::Layout:
    return ", which is not a dense tensor";
  case Record::Problem::Dims:
    return ", which is more dimensions than are taken";
  case Record::Problem::Rows:
    return ", which is not one row for each row of the batch";
  case Record::Problem::Dtype:
    return ", which is not a dtype that this is defined for; convert it first";
  case Record::Problem::Exception:
    return ", which threw: ";
  }
  return "";
}

} // namespace

void Record::describe(const torch::Tensor& tensor) {
  if (!tensor.defined()) {
    problem = Problem::Undefined;
    return;
  }
  dtype = static_cast<int32_t>(tensor.scalar_type());
  device = static_cast<int32_t>(tensor.device().type());
  dims = static_cast<int32_t>(tensor.dim());
  if (tensor.layout() != torch::kStrided) {
    problem = Problem::Layout;
  } else if (dims > max_dims) {
    problem = Problem::Dims;
  }
  for (int32_t dim = 0; dim < std::min(dims, max_dims); ++dim) {
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

void Record::set_exception(const std::exception& error) {
  problem = Problem::Exception;
  const std::string text = reason(error);
  set_payload(text.data(), std::min(text.size(), static_cast<size_t>(payload_bytes)));
}

std::string Record::payload_text() const {
  return {reinterpret_cast<const char*>(payload), static_cast<size_t>(used)};
}

const char* Record::name() const {
  return name_of(action);
}

std::string Record::text() const {
  std::ostringstream out;
  out << name_of(action);
  if (action == Action::Reduce) {
    out << "(" << name_of(static_cast<Reduction>(detail)) << ")";
  }
  if (dtype >= 0) {
    out << " of " << c10::toString(static_cast<c10::ScalarType>(dtype)) << " [";
    for (int32_t dim = 0; dim < std::min(dims, max_dims); ++dim) {
      out << (dim > 0 ? ", " : "") << sizes[dim];
    }
    out << "]";
    if (device != static_cast<int32_t>(torch::kCPU)) {
      out << " on " << c10::DeviceTypeName(static_cast<c10::DeviceType>(device), true);
    }
  }
  if (action == Action::Broadcast || action == Action::BroadcastObject) {
    out << " from process " << detail;
  }
  if (parts != 1) {
    out << " (tensor " << part + 1 << " of " << parts << ")";
  }
  out << text_of(problem);
  if (problem == Problem::Exception) {
    out << payload_text();
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
  group.arrive(mine.name());
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

void check_same_call(const std::vector<Record>& records) {
  const Record& first = records.front();
  for (const Record& record : records) {
    TORCH_CHECK(record.problem == Record::Problem::None,
                "accel: a process passed what can't be taken:", list_records(records));
    TORCH_CHECK(
        record.parts == first.parts && record.structure == first.structure,
        "accel: the processes passed values of different type or structure:", list_records(records),
        "\nThe types, the numbers of elements and the keys must be the same on every process.");
  }
}

void check_same_kind(const std::vector<Record>& records) {
  check_same_tensor(records, Record::max_dims);
}

void check_same_tensor(const std::vector<Record>& records, int from_dim) {
  check_same_call(records);
  const Record& first = records.front();
  for (const Record& record : records) {
    bool same = record.dtype == first.dtype && record.device == first.device &&
                record.detail == first.detail && record.dims == first.dims;
    for (int dim = from_dim; same && dim < record.dims; ++dim) {
      same = record.sizes[dim] == first.sizes[dim];
    }
    const char* shapes = from_dim == 0   ? "The shapes"
                         : from_dim == 1 ? "The shapes after the first dimension"
                                         : "The numbers of dimensions";
    TORCH_CHECK(same, "accel: the processes passed different tensors:", list_records(records), "\n",
                shapes, ", the dtypes and the kinds of device must be the same on every process.");
  }
}

void check_root(const std::vector<Record>& records) {
  const int root = records.front().detail;
  for (const Record& record : records) {
    TORCH_CHECK(record.detail == root && root >= 0 && root < static_cast<int>(records.size()),
                "accel: the processes must name the same one of them, from 0 to ",
                records.size() - 1, ":", list_records(records));
  }
}

} // namespace accel::detail
