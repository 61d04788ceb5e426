#include "relay.h"

#include "error.h"
#include "lines.h"

#include <array>
#include <list>
#include <poll.h>
#include <sys/eventfd.h>
#include <thread>
#include <vector>

namespace accel::launch {
namespace {

/// A line that has not ended is passed on after this pause (a prompt, a progress bar).
constexpr int partial_line_ms = 200;
/// At the end, no more than this is read from a stream that someone keeps filling.
constexpr std::size_t last_read_limit = 1 << 20;

struct Source {
  FileDescriptor stream;
  int target;
  Lines lines;
  bool open = true;
};

void notify(int event) {
  uint64_t one = 1;
  write_all(event, reinterpret_cast<const char*>(&one), sizeof(one));
}

} // namespace

struct Relay::State {
  std::list<Source> sources;
  FileDescriptor stop{eventfd(0, EFD_CLOEXEC)};
  FileDescriptor done{eventfd(0, EFD_CLOEXEC)};

  void run();

private:
  bool wait();
  std::size_t read_some(Source& source);
  void pass_on(const Source& source, const std::string& text);
  void close_finished();
};

/// Waits for text, an end of pause, or the request to stop (false).
bool Relay::State::wait() {
  std::vector<pollfd> polled{{stop.get(), POLLIN, 0}};
  bool partial = false;
  for (const Source& source : sources) {
    polled.push_back({source.stream.get(), POLLIN, 0});
    partial = partial || source.lines.has_partial();
  }
  int ready = poll(polled.data(), polled.size(), partial ? partial_line_ms : -1);
  if (ready == 0)
    for (Source& source : sources)
      pass_on(source, source.lines.take_all());
  return (polled.front().revents & POLLIN) == 0;
}

/// Reads once and passes on the whole lines; 0 where there is nothing (more) to read.
std::size_t Relay::State::read_some(Source& source) {
  static thread_local std::array<char, 1 << 16> buffer;
  ssize_t size = read(source.stream.get(), buffer.data(), buffer.size());
  if (size < 0 && (errno == EAGAIN || errno == EINTR))
    return 0;
  if (size <= 0) { // a terminal whose last writer is gone says EIO
    source.open = false;
    return 0;
  }
  source.lines.add({buffer.data(), static_cast<std::size_t>(size)});
  pass_on(source, source.lines.take_whole());
  return static_cast<std::size_t>(size);
}

/// Where nobody reads any more, the streams close, and ranks learn it from SIGPIPE, as without us.
void Relay::State::pass_on(const Source& source, const std::string& text) {
  if (text.empty() || write_all(source.target, text.data(), text.size()))
    return;
  int target = source.target;
  for (Source& other : sources)
    other.open = other.open && other.target != target;
}

void Relay::State::close_finished() {
  for (auto source = sources.begin(); source != sources.end();) {
    if (!source->open)
      pass_on(*source, source->lines.take_all());
    source = source->open ? std::next(source) : sources.erase(source);
  }
}

void Relay::State::run() {
  while (!sources.empty() && wait()) {
    for (Source& source : sources)
      read_some(source);
    close_finished();
  }
  for (Source& source : sources) {
    std::size_t total = 0;
    while (std::size_t size = source.open && total < last_read_limit ? read_some(source) : 0)
      total += size;
    source.open = false;
  }
  close_finished();
  notify(done.get());
}

Relay::Relay() : state_(std::make_shared<State>()) {}

Relay::~Relay() {
  finish();
}

void Relay::add(FileDescriptor source, int target, const std::string& prefix) {
  state_->sources.push_back({std::move(source), target, Lines(prefix)});
}

void Relay::start() {
  // The thread may be held up in a write for ever, so nobody joins it; it owns its state.
  std::thread([state = state_] { state->run(); }).detach();
}

void Relay::finish() {
  notify(state_->stop.get());
}

int Relay::done_descriptor() const {
  return state_->done.get();
}

} // namespace accel::launch
