#include "state/state.h"

#include <algorithm>

namespace accel::detail {

void send_from_main(State& state, std::string& bytes, const std::string& error) {
  Record record;
  record.action = Record::Action::Batch;
  record.value = static_cast<int64_t>(bytes.size());
  if (!error.empty()) {
    record.failed = 1;
    record.set_payload(error.data(),
                       std::min(error.size(), static_cast<size_t>(Record::payload_bytes)));
  } else if (state.rank() == 0 && bytes.size() <= static_cast<size_t>(Record::payload_bytes)) {
    record.set_payload(bytes.data(), bytes.size());
  }
  const Record main = state.exchange(record).front();
  const auto* payload = reinterpret_cast<const char*>(main.payload);
  const auto used = static_cast<size_t>(main.used);
  TORCH_CHECK(main.failed == 0, "accel: process 0 could not read or send the next batch: ",
              std::string(payload, used));
  if (state.rank() != 0) {
    bytes.assign(payload, used);
  }
  if (main.used == main.value) {
    return;
  }
  bytes.resize(static_cast<size_t>(main.value));
  auto tensor = torch::from_blob(bytes.data(), {main.value}, torch::kByte);
  state.group().broadcast(tensor, 0).wait(record.text());
}

} // namespace accel::detail
