// What processes tell each other along with the gradients: which of them there are, and where in
// the program each process is.
#include "sync/synchroniser.h"

#include <cmath>
#include <sstream>

namespace accel::detail {
namespace {

// Small enough to be exact in bfloat16 (integers up to 256), which a bucket may hold.
constexpr int64_t step_period = 60;
constexpr int64_t batch_period = 240;

// The count nearest to `mine` of which only the remainder is known.
int64_t unwrap(double remainder, int64_t mine, int64_t period) {
  auto difference = (static_cast<int64_t>(std::lround(remainder)) - mine % period) % period;
  if (difference > period / 2) {
    difference -= period;
  } else if (difference < -period / 2) {
    difference += period;
  }
  return mine + difference;
}

} // namespace

void Synchroniser::write_votes(Point point) {
  const auto parameters = slots_.size();
  std::vector<float> votes(static_cast<size_t>(votes_.numel()), 0.0F);
  for (size_t i = 0; i < parameters; ++i) {
    votes[i] = slots_[i].present ? 1.0F : 0.0F;
  }
  const size_t mine = parameters + 2 * static_cast<size_t>(state_->rank());
  votes[mine] = static_cast<float>(steps_ % step_period * 4 + static_cast<int64_t>(point));
  votes[mine + 1] = static_cast<float>(state_->passes().training_batches() % batch_period);
  torch::NoGradGuard no_grad;
  votes_.copy_(torch::from_blob(votes.data(), {votes_.numel()}, torch::kFloat));
}

std::vector<double> Synchroniser::read_votes() const {
  const auto numbers = votes_.to(torch::kDouble).contiguous();
  return {numbers.data_ptr<double>(), numbers.data_ptr<double>() + numbers.numel()};
}

std::string Synchroniser::text_of(double stamp, double batches) const {
  const auto word = static_cast<int64_t>(std::lround(stamp));
  const auto point = static_cast<Point>(word % 4);
  const int64_t steps = word / 4;
  std::ostringstream out;
  out << (point == Point::Backward ? "in backward()"
          : point == Point::Step   ? "in step(), with gradients that are not synchronised yet"
                                   : "changing the optimizer's list of parameters")
      << ", after " << unwrap(static_cast<double>(steps), steps_, step_period)
      << " steps of the optimizer and "
      << unwrap(batches, state_->passes().training_batches(), batch_period) << " batches";
  return out.str();
}

void Synchroniser::check_point(const std::vector<double>& votes, Point point) const {
  const size_t first = slots_.size();
  const auto processes = static_cast<size_t>(state_->size());
  const double stamp = static_cast<double>(steps_ % step_period * 4 + static_cast<int64_t>(point));
  const auto batches = static_cast<double>(state_->passes().training_batches() % batch_period);
  bool same = true;
  for (size_t rank = 0; rank < processes; ++rank) {
    same = same && votes[first + 2 * rank] == stamp && votes[first + 2 * rank + 1] == batches;
  }
  if (same) {
    return;
  }
  std::ostringstream out;
  for (size_t rank = 0; rank < processes; ++rank) {
    out << "\n  process " << rank << ": "
        << text_of(votes[first + 2 * rank], votes[first + 2 * rank + 1]);
  }
  TORCH_CHECK(false, "accel: the processes are at different points of the program:", out.str(),
              "\nEvery process must call backward() and step() as often as the others do.");
}

} // namespace accel::detail
