// When gradients become ready and when all-reduces run, as libtorch's own profiling hooks see it,
// in the JSON that browsers' trace viewers read.
#pragma once

#include <ATen/record_function.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace bench {

class Trace {
public:
  /// Records from now on, for `file`; an empty name records nothing.
  explicit Trace(std::string file) : file_(std::move(file)) {
    if (!file_.empty()) {
      at::addGlobalCallback(at::RecordFunctionCallback(&Trace::begin, &Trace::end)
                                .scopes({at::RecordScope::BACKWARD_FUNCTION,
                                         at::RecordScope::USER_SCOPE, at::RecordScope::FUNCTION}));
    }
  }

  void write() const {
    if (file_.empty()) {
      return;
    }
    at::clearCallbacks();
    const std::lock_guard<std::mutex> lock(mutex());
    std::ofstream out(file_);
    const char* separator = "{\"traceEvents\": [\n";
    for (const Event& event : events()) {
      out << separator << "{\"name\": \"" << event.name
          << "\", \"ph\": \"X\", \"pid\": 0, \"tid\": " << event.lane << ", \"ts\": " << event.from
          << ", \"dur\": " << event.to - event.from << "}";
      separator = ",\n";
    }
    out << "\n]}\n";
  }

private:
  using Clock = std::chrono::steady_clock;
  struct Event {
    std::string name;
    int lane;
    int64_t from;
    int64_t to;
  };
  struct Begun : at::ObserverContext {
    int64_t at = 0;
  };

  // libtorch takes callbacks as plain functions, so what they write to is static.
  static std::vector<Event>& events() {
    static std::vector<Event> all;
    return all;
  }
  static std::mutex& mutex() {
    static std::mutex guard;
    return guard;
  }
  static int64_t now() {
    return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now().time_since_epoch())
        .count();
  }

  static std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction&) {
    auto begun = std::make_unique<Begun>();
    begun->at = now();
    return begun;
  }
  static void end(const at::RecordFunction& function, at::ObserverContext* context) {
    const char* name = function.name();
    const bool exchange = std::strstr(name, "all_reduce") != nullptr;
    if (exchange || std::strcmp(name, "torch::autograd::AccumulateGrad") == 0) {
      const std::lock_guard<std::mutex> lock(mutex());
      events().push_back({name, exchange ? 1 : 0, static_cast<Begun*>(context)->at, now()});
    }
  }

  std::string file_;
};

} // namespace bench
