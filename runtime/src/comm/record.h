// The small message that processes exchange before and in place of a collective: what each of them
// is about to do, so that a difference is an error with words and neither a hang nor a wrong
// number.
#pragma once

#include "comm/group.h"

#include <chrono>
#include <cstdint>
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
    Batch
  };
  static constexpr int max_dims = 16;
  static constexpr int payload_bytes = 256;

  Action action = Action::Barrier;
  int32_t detail = 0; // the reduction, where there is one
  int32_t dtype = -1; // -1: no tensor
  int32_t dims = 0;
  int64_t sizes[max_dims] = {};
  int64_t value = 0;  // free for the action
  int32_t failed = 0; // the process could not do its part
  int32_t used = 0;   // bytes of payload
  unsigned char payload[payload_bytes] = {};

  void describe(const torch::Tensor& tensor);
  void set_payload(const void* data, size_t bytes);
  std::string text() const;
  std::vector<int64_t> shape() const { return {sizes, sizes + dims}; }
};

/// "reduce(sum) of Float [2, 3]" of every process, a line each.
std::string list_records(const std::vector<Record>& records);

/// Exchanges one record; throws where the processes are at different actions.
/// `limit`: see Group::all_gather.
std::vector<Record> exchange(Group& group, const Record& mine, int rank,
                             std::chrono::milliseconds limit = {});

/// Checks that shape (from dimension `from_dim` on), dtype and reduction are the same everywhere.
void check_same_tensor(const std::vector<Record>& records, int from_dim);

} // namespace accel::detail
