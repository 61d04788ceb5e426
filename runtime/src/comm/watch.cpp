#include "comm/watch.h"

#include <sstream>
#include <thread>
#include <utility>

namespace accel::detail {
namespace {

std::string key_of(int rank) {
  return "watch/" + std::to_string(rank);
}

} // namespace

Watch::Watch(c10::intrusive_ptr<c10d::Store> store, int rank, int size)
    : store_(std::move(store)), rank_(rank), seen_(static_cast<size_t>(size)) {}

void Watch::arrive(const std::string& what) {
  ++place_;
  what_ = what;
}

void Watch::publish() {
  std::ostringstream out;
  out << place_ << " " << ++beat_ << " " << what_;
  const std::string text = out.str();
  store_->set(key_of(rank_), std::vector<uint8_t>(text.begin(), text.end()));
}

// The others wait too: each is to find the reason itself before this process is gone, and with it
// perhaps the store.
void Watch::let_others_see() {
  for (int beat = 0; beat < 5; ++beat) {
    std::this_thread::sleep_for(interval / 2);
    try {
      publish();
    } catch (const std::exception&) {
      return; // process 0 has seen it and is gone
    }
  }
}

Watch::Note Watch::read(int rank) {
  Note note;
  if (!store_->check({key_of(rank)})) {
    return note;
  }
  const auto bytes = store_->get(key_of(rank));
  std::istringstream in(std::string(bytes.begin(), bytes.end()));
  in >> note.place >> note.beat;
  in.get();
  std::getline(in, note.what);
  return note;
}

void Watch::look() {
  std::string elsewhere;
  try {
    publish();
    for (size_t rank = 0; rank < seen_.size(); ++rank) {
      if (static_cast<int>(rank) == rank_) {
        continue;
      }
      const Note note = read(static_cast<int>(rank));
      // Two beats of one place: it still waits there, and so did this process in between.
      const bool stays = seen_[rank].place == note.place && seen_[rank].beat != note.beat;
      seen_[rank] = note;
      if (stays && note.place == place_ && note.what != what_) {
        elsewhere = text_of(static_cast<int>(rank), note);
      }
    }
  } catch (const std::exception&) {
    // The store went with the process that held it: the wait itself reports that.
    return;
  }
  if (!elsewhere.empty()) {
    let_others_see();
    throw DifferentPlaces(
        {__func__, __FILE__, __LINE__},
        "accel: the processes are at different points of the program and would wait for each other "
        "for ever:\n  process " +
            std::to_string(rank_) + " (this one): waits in " + what_ + elsewhere +
            "\nEvery process must come to the same exchanges in the same order.");
  }
}

std::string Watch::text_of(int rank, const Note& note) const {
  std::ostringstream out;
  out << "\n  process " << rank << ": ";
  if (note.place == place_) {
    out << "waits in " << note.what;
  } else if (note.place > place_) {
    out << "is further on, in " << note.what;
  } else {
    out << "has not come there: it computes, sleeps or has stopped";
  }
  return out.str();
}

std::string Watch::whereabouts() {
  std::string text = "\n  process " + std::to_string(rank_) + " (this one): waits in " + what_;
  try {
    publish();
    for (size_t rank = 0; rank < seen_.size(); ++rank) {
      if (static_cast<int>(rank) != rank_) {
        text += text_of(static_cast<int>(rank), read(static_cast<int>(rank)));
      }
    }
  } catch (const std::exception&) {
    text += "\n  where the others are isn't known: process 0, which held the store, is gone";
  }
  return text;
}

} // namespace accel::detail
