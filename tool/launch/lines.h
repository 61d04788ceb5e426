#pragma once

#include <string>
#include <string_view>

namespace accel::launch {

/// Cuts a stream of text into whole lines, each with a prefix. A carriage return ends a line too:
/// a progress bar is a row of them.
class Lines {
public:
  explicit Lines(std::string prefix) : prefix_(std::move(prefix)) {}

  void add(std::string_view text) { pending_ += text; }
  bool has_partial() const { return !pending_.empty(); }

  /// The whole lines so far.
  std::string take_whole() {
    std::size_t end = pending_.find_last_of("\r\n");
    return take(end == std::string::npos ? 0 : end + 1);
  }
  /// Everything so far; the rest of a line that is cut here gets no second prefix.
  std::string take_all() { return take(pending_.size()); }

private:
  std::string take(std::size_t size) {
    std::string taken;
    for (char c : std::string_view(pending_).substr(0, size)) {
      bool starts_line = last_ == '\n' || (last_ == '\r' && c != '\n');
      if (starts_line)
        taken += prefix_;
      taken += c;
      last_ = c;
    }
    pending_.erase(0, size);
    return taken;
  }

  std::string prefix_;
  std::string pending_;
  char last_ = '\n';
};

} // namespace accel::launch
