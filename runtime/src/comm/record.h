// The small message that processes exchange before and in place of a collective: what each of them
// is about to do, so that a difference is an error with words and neither a hang nor a wrong
// number.
#pragma once

#include "comm/group.h"

#include <chrono>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

namespace accel::detail {

/// What a process says it is doing. All records have one size, so any two can meet.
struct Record {
  enum class Action : int32_t {
    Reduce,
    Gather,
    Mean,
    Barrier,
    Order,
    Save,
    Backward,
    Verify,
    Exit,
    GatherForMetrics,
    Broadcast,
    Pad,
    GatherObject,
    BroadcastObject,
    Trigger,
    MainFirst,
    LocalMainFirst,
    Log,
    Batch
  };
  /// Why the process could not do its part.
  enum class Problem : int32_t { None, Undefined, Layout, Dims, Rows, Dtype, Exception };
  static constexpr int max_dims = 16;
  static constexpr int payload_bytes = 256;

  Action action = Action::Barrier;
  int32_t detail = 0; // the reduction or the root, where there is one
  int32_t dtype = -1; // -1: no tensor
  int32_t dims = 0;
  int64_t sizes[max_dims] = {};
  int64_t value = 0; // free for the action
  int32_t used = 0;  // bytes of payload
  Problem problem = Problem::None;
  int32_t device = 0; // the kind of device the tensor is on
  // Of a value with several tensors: which one this is, how many there are, and TensorList's
  // number.
  int32_t part = 0;
  int32_t parts = 1;
  uint64_t structure = 0;
  unsigned char payload[payload_bytes] = {};

  /// Says what the tensor is, or which problem it is.
  void describe(const torch::Tensor& tensor);
  void set_payload(const void* data, size_t bytes);
  /// Makes it the record of a process that could not do its part for this exception.
  void set_exception(const std::exception& error);
  /// The payload as text.
  std::string payload_text() const;
  /// The name of the action, the same on all processes that do the same.
  const char* name() const;
  std::string text() const;
  std::vector<int64_t> shape() const { return {sizes, sizes + dims}; }
};

/// "reduce(sum) of Float [2, 3]" of every process, a line each.
std::string list_records(const std::vector<Record>& records);

/// Exchanges one record; throws where the processes are at different actions.
/// `limit`: see Group::all_gather.
std::vector<Record> exchange(Group& group, const Record& mine, int rank,
                             std::chrono::milliseconds limit = {});

/// Checks that no process has a problem and that all of them passed a value of the same structure.
void check_same_call(const std::vector<Record>& records);

/// The same, and that dtype, kind of device, number of dimensions and `detail` are the same
/// everywhere.
void check_same_kind(const std::vector<Record>& records);

/// The same, and that dtype, kind of device, `detail` and the shape, from dimension `from_dim` on,
/// are the same everywhere.
void check_same_tensor(const std::vector<Record>& records, int from_dim);

/// Checks that all processes named the same root (`detail`), and one that there is.
void check_root(const std::vector<Record>& records);

} // namespace accel::detail
