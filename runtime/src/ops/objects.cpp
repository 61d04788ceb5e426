#include <accel/collectives.h>

#include "ops/collectives.h"

#include <algorithm>
#include <iterator>

namespace accel::detail {
namespace {

Record object_record(Record::Action action, const std::type_info& type) {
  Record record;
  record.action = action;
  // The name: a type's hash code may differ between two builds of a program.
  for (const char* letter = type.name(); *letter != '\0'; ++letter) {
    record.structure = (record.structure ^ static_cast<unsigned char>(*letter)) * 0x100000001b3ULL;
  }
  return record;
}

// A short message travels in the record.
std::string pack(Record& record, const std::function<std::string()>& make) {
  std::string bytes;
  try {
    bytes = make();
    record.sizes[0] = static_cast<int64_t>(bytes.size());
    if (bytes.size() <= static_cast<size_t>(Record::payload_bytes)) {
      record.set_payload(bytes.data(), bytes.size());
    }
  } catch (const std::exception& error) {
    record.set_exception(error);
  }
  return bytes;
}

bool is_packed(const Record& record) {
  return record.sizes[0] <= Record::payload_bytes;
}

// The bytes that process `record.detail` makes, on every process.
std::string broadcast(State& state, Record record, const std::function<std::string()>& make) {
  const int from = record.detail;
  std::string bytes;
  if (state.rank() == from) {
    bytes = pack(record, make);
  }
  const auto records = state.size() == 1 ? std::vector<Record>{record} : state.exchange(record);
  check_same_call(records);
  check_root(records);
  const Record& root = records[static_cast<size_t>(from)];
  if (is_packed(root)) {
    return root.payload_text();
  }
  if (state.size() == 1) {
    return bytes;
  }
  bytes.resize(static_cast<size_t>(root.sizes[0]));
  const auto tensor = torch::from_blob(bytes.data(), {root.sizes[0]}, torch::kByte);
  state.group().broadcast(tensor, from).wait(record.text());
  return bytes;
}

} // namespace

std::vector<std::string> gather_bytes(State& state, const std::type_info& type,
                                      const std::function<std::string()>& make) {
  Record record = object_record(Record::Action::GatherObject, type);
  std::string mine = pack(record, make);
  const auto records = state.size() == 1 ? std::vector<Record>{record} : state.exchange(record);
  check_same_call(records);
  std::vector<std::string> all;
  if (std::all_of(records.begin(), records.end(), is_packed)) {
    std::transform(records.begin(), records.end(), std::back_inserter(all),
                   [](const Record& record) { return record.payload_text(); });
    return all;
  }
  if (state.size() == 1) {
    return {mine};
  }
  int64_t most = 0;
  for (const Record& other : records) {
    most = std::max(most, other.sizes[0]);
  }
  mine.resize(static_cast<size_t>(most));
  const auto bytes = torch::from_blob(mine.data(), {most}, torch::kByte);
  const auto gathered = state.group().all_gather(bytes, record.text());
  for (size_t rank = 0; rank < records.size(); ++rank) {
    const auto row = gathered[static_cast<int64_t>(rank)];
    all.emplace_back(static_cast<const char*>(row.data_ptr()),
                     static_cast<size_t>(records[rank].sizes[0]));
  }
  return all;
}

std::string broadcast_bytes(State& state, const std::type_info& type, int from,
                            const std::function<std::string()>& make) {
  Record record = object_record(Record::Action::BroadcastObject, type);
  record.detail = from;
  return broadcast(state, record, make);
}

std::string bytes_of_main(State& state, Record::Action action,
                          const std::function<std::string()>& make) {
  Record record;
  record.action = action;
  return broadcast(state, record, make);
}

} // namespace accel::detail
