#include "data/passes.h"

#include <algorithm>
#include <utility>

namespace accel::detail {

void Passes::begin(const void* pass, Answers answers) {
  passes_.push_back({pass, begun_++, {}, std::move(answers), false});
}

void Passes::announce(const void* pass, const Share& share) {
  const auto known = std::find_if(passes_.begin(), passes_.end(),
                                  [pass](const Pass& entry) { return entry.id == pass; });
  const int64_t number = known == passes_.end() ? begun_++ : known->number;
  end(pass);
  passes_.push_back({pass, number, share, {}, false});
  by_hand_.reset();
  if (!share.evaluation) {
    ++training_batches_;
  }
}

void Passes::pause(const void* pass) {
  for (Pass& entry : passes_) {
    entry.paused = entry.paused || entry.id == pass;
  }
}

void Passes::end(const void* pass) {
  passes_.erase(std::remove_if(passes_.begin(), passes_.end(),
                               [pass](const Pass& entry) { return entry.id == pass; }),
                passes_.end());
}

std::optional<Share> Passes::share() const {
  if (by_hand_) {
    return by_hand_;
  }
  for (auto pass = passes_.rbegin(); pass != passes_.rend(); ++pass) {
    if (!pass->paused && !pass->answers.at_end) {
      return pass->share;
    }
  }
  return std::nullopt;
}

std::optional<int64_t> Passes::rows() const {
  if (by_hand_) {
    return by_hand_->all_rows;
  }
  if (passes_.empty()) {
    return std::nullopt;
  }
  const Pass& pass = passes_.back();
  return pass.answers.rows ? pass.answers.rows() : pass.share.all_rows;
}

bool Passes::at_end() const {
  if (passes_.empty()) {
    return false;
  }
  const Pass& pass = passes_.back();
  return pass.answers.at_end ? pass.answers.at_end() : pass.share.last;
}

} // namespace accel::detail
