#include "sync/manifest.h"

#include <algorithm>
#include <cstring>
#include <sstream>

namespace accel::detail {
namespace {

// FNV-1a: the same in every build of every process.
uint64_t hash_of(const std::string& text) {
  uint64_t hash = 14695981039346656037ull;
  for (const unsigned char c : text) {
    hash = (hash ^ c) * 1099511628211ull;
  }
  return hash;
}

std::vector<std::string> gather_texts(State& state, const std::string& text,
                                      const std::vector<Record>& records) {
  int64_t longest = 0;
  for (const Record& record : records) {
    longest = std::max(longest, record.sizes[0]);
  }
  auto bytes = torch::zeros({longest + 1}, torch::kByte);
  std::memcpy(bytes.data_ptr(), text.data(), text.size());
  const auto all = state.group().all_gather(bytes, "prepare");
  std::vector<std::string> texts;
  for (size_t rank = 0; rank < records.size(); ++rank) {
    const auto* begin =
        static_cast<const char*>(all.data_ptr()) + static_cast<int64_t>(rank) * (longest + 1);
    texts.emplace_back(begin, static_cast<size_t>(records[rank].sizes[0]));
  }
  return texts;
}

std::string first_difference(const std::vector<std::string>& texts) {
  std::vector<std::istringstream> streams;
  for (const auto& text : texts) {
    streams.emplace_back(text);
  }
  while (true) {
    std::vector<std::string> lines;
    for (auto& stream : streams) {
      std::string line;
      lines.push_back(std::getline(stream, line) ? line : "nothing more");
    }
    if (std::any_of(lines.begin(), lines.end(),
                    [&](const auto& line) { return line != lines.front(); })) {
      std::ostringstream out;
      for (size_t rank = 0; rank < lines.size(); ++rank) {
        out << "\n  process " << rank << ": " << lines[rank];
      }
      return out.str();
    }
    if (lines.front() == "nothing more") {
      return "";
    }
  }
}

} // namespace

std::string describe(const std::string& name, const torch::Tensor& tensor) {
  std::ostringstream out;
  out << name << " " << c10::toString(tensor.scalar_type()) << " " << tensor.sizes();
  return out.str();
}

void verify_same(State& state, const std::string& what, const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) {
    text += line + "\n";
  }
  Record record;
  record.action = Record::Action::Verify;
  record.value = static_cast<int64_t>(hash_of(what + "\n" + text));
  record.sizes[0] = static_cast<int64_t>(text.size());
  const auto records = state.exchange(record);
  const bool same = std::all_of(records.begin(), records.end(), [&](const Record& other) {
    return other.value == record.value && other.sizes[0] == record.sizes[0];
  });
  if (!same) {
    TORCH_CHECK(false, "accel: ", what, " differs between the processes; the first difference:",
                first_difference(gather_texts(state, text, records)));
  }
}

} // namespace accel::detail
