#include "sync/synchroniser.h"

#include "sync/model.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace accel::detail {
namespace {

bool is_all_zero(const torch::Tensor& tensor) {
  if (!tensor.is_cpu() || !tensor.is_non_overlapping_and_dense() || tensor.numel() == 0) {
    return false;
  }
  const auto* bytes = static_cast<const char*>(tensor.data_ptr());
  const size_t count = tensor.nbytes();
  return bytes[0] == 0 && std::memcmp(bytes, bytes + 1, count - 1) == 0;
}

} // namespace

Synchroniser::Slot::Slot(torch::Tensor of, AccumulationHook on)
    : parameter(std::move(of)), hook(std::move(on)), dtype(parameter.scalar_type()),
      device(parameter.device()), sizes(parameter.sizes().vec()) {}

Synchroniser::Synchroniser(std::shared_ptr<State> state, torch::optim::Optimizer& optimizer)
    : state_(std::move(state)), optimizer_(&optimizer), group_(state_->new_group("gradients")) {
  build(trainable());
  // Parameters need not be part of a model that was prepared.
  std::vector<torch::Tensor> parameters;
  for (const auto& group : optimizer_->param_groups()) {
    parameters.insert(parameters.end(), group.params().begin(), group.params().end());
  }
  take_main_values(*state_, std::move(parameters));
}

Synchroniser::~Synchroniser() {
  state_->disown(*this);
}

void Synchroniser::reset_flights() {
  flights_.clear();
  for (const Bucket& bucket : buckets_) {
    flights_.emplace_back();
    flights_.back().waiting = bucket.members.size();
  }
  next_ = 0;
  ready_ = 0;
  touched_ = false;
}

void Synchroniser::refuse_if_broken() const {
  TORCH_CHECK(broken_.empty(), "accel: ", broken_);
}

void Synchroniser::begin() {
  refuse_if_broken();
  if (optimizer_changed()) {
    rebuild_together();
  }
  reset_flights();
  eager_ = false;
}

void Synchroniser::abandon() {
  eager_ = false;
  for (const Flight& flight : flights_) {
    if (flight.launched) {
      broken_ = "an earlier backward() failed when some of its gradients were on their way to the "
                "other processes; the program can't go on from there";
    }
  }
}

// Whether the gradient is what the last synchronisation left.
bool Synchroniser::is_untouched(const Slot& slot) const {
  if (slot.condition != Condition::Equal) {
    return false;
  }
  const torch::Tensor& gradient = slot.parameter.grad();
  const torch::Tensor& left = slot.kept.defined() ? slot.kept : slot.part;
  return gradient.defined() && gradient.is_same(left) && gradient._version() == slot.version;
}

// Brings a gradient that is elsewhere into the bucket.
void Synchroniser::ingest(Slot& slot) {
  torch::Tensor gradient = slot.parameter.grad();
  if (gradient.is_same(slot.part)) {
    return;
  }
  TORCH_CHECK(!gradient.is_sparse(), "accel: the gradient of ", slot.name,
              " is sparse, which can't be synchronised; make its module with sparse(false)");
  if (slot.part.use_count() > 1) {
    // The program still holds the gradient of an earlier step: it keeps those values.
    torch::Tensor held = slot.part;
    const auto& bucket = buckets_[slot.bucket];
    slot.part = part_of(bucket, held.storage_offset(), slot.parameter);
    const auto copy = held.clone();
    held.set_(copy.storage(), copy.storage_offset(), copy.sizes(), copy.strides());
  }
  slot.part.copy_(gradient.detach());
  if (gradient.requires_grad()) {
    slot.kept = gradient;
  } else {
    slot.kept = torch::Tensor();
    slot.parameter.mutable_grad() = slot.part;
  }
}

// Makes the slot's part of the bucket this process's addend.
void Synchroniser::contribute(Slot& slot) {
  torch::NoGradGuard no_grad;
  slot.present = slot.parameter.grad().defined();
  if (!slot.present) {
    slot.part.zero_();
  } else if (is_untouched(slot)) {
    if (state_->rank() != 0) {
      slot.part.zero_();
    }
    if (slot.kept.defined()) {
      slot.kept = torch::Tensor();
      slot.parameter.mutable_grad() = slot.part;
    }
  } else {
    ingest(slot);
    // The hook has weighted a raw one already; one of unknown origin weighs what its batch does.
    const double factor = slot.condition == Condition::Raw ? 1.0 / state_->size()
                                                           : state_->current_share().fraction();
    if (!is_all_zero(slot.part)) {
      slot.part.mul_(factor);
    }
  }
  slot.condition = Condition::Local;
}

torch::Tensor Synchroniser::before_accumulation(size_t index, const torch::Tensor& gradient) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Slot& slot = slots_[index];
  if (!state_->in_backward) {
    // Not the accelerator's backward: weighted here, by the rows of its batch, and averaged by the
    // next settle().
    if (slot.condition == Condition::Equal && slot.parameter.grad().defined() &&
        !is_untouched(slot)) {
      torch::NoGradGuard no_grad;
      slot.parameter.mutable_grad() =
          slot.parameter.grad().detach() * (state_->current_share().fraction() * state_->size());
    }
    slot.condition = Condition::Raw;
    raw_ = true;
    const double weight = state_->current_share().fraction() * state_->size();
    return weight == 1.0 ? gradient : gradient * weight;
  }
  TORCH_CHECK(
      !flights_[slot.bucket].launched, "accel: ", slot.name,
      " received a second gradient within one backward(), while the first was being reduced");
  if (slot.condition != Condition::Local && slot.parameter.grad().defined()) {
    contribute(slot);
  }
  slot.condition = Condition::Local;
  return gradient;
}

void Synchroniser::after_accumulation(size_t index) {
  if (!state_->in_backward) {
    return;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  torch::NoGradGuard no_grad;
  Slot& slot = slots_[index];
  slot.present = slot.parameter.grad().defined();
  if (slot.condition != Condition::Local) {
    contribute(slot); // nothing was added
  } else if (slot.present) {
    ingest(slot);
  }
  touched_ = true;
  ++ready_;
  Flight& flight = flights_[slot.bucket];
  if (flight.waiting > 0) {
    --flight.waiting;
  }
  if (eager_) {
    launch_ready();
  }
}

// Buckets go in one order on all processes, whatever order they fill in.
void Synchroniser::launch_ready() {
  while (next_ < buckets_.size() && flights_[next_].waiting == 0) {
    launch(next_, Point::Backward);
  }
}

void Synchroniser::launch(size_t bucket, Point point) {
  for (const size_t member : buckets_[bucket].members) {
    if (slots_[member].condition != Condition::Local) {
      contribute(slots_[member]);
    }
  }
  if (bucket == 0) {
    ready_at_first_launch_ = ready_;
  }
  if (votes_in_bucket_ && bucket + 1 == buckets_.size()) {
    write_votes(point);
  }
  flights_[bucket].launched = true;
  flights_[bucket].pending = group_->all_reduce(buckets_[bucket].flat, Sum);
  next_ = bucket + 1;
}

void Synchroniser::launch_all(Point point) {
  const std::lock_guard<std::mutex> lock(mutex_);
  eager_ = false;
  while (next_ < buckets_.size()) {
    launch(next_, point);
  }
}

std::string Synchroniser::describe(size_t bucket) const {
  const auto& members = buckets_[bucket].members;
  return "the reduction of the gradients of " + slots_[members.back()].name +
         (members.size() > 1 ? " to " + slots_[members.front()].name : "");
}

void Synchroniser::finish(Point point) {
  try {
    Pending separate;
    if (!votes_in_bucket_ && !buckets_.empty()) {
      write_votes(point);
      separate = group_->all_reduce(votes_, Sum);
    }
    for (size_t b = 0; b < buckets_.size(); ++b) {
      flights_[b].pending.wait(describe(b));
    }
    separate.wait("the exchange of which gradients there are");
  } catch (const std::exception&) {
    broken_ = "an earlier synchronisation of gradients failed; the program can't go on from there";
    throw;
  }
  const auto numbers = votes_.to(torch::kDouble).contiguous();
  const std::vector<double> votes(numbers.data_ptr<double>(),
                                  numbers.data_ptr<double>() + numbers.numel());
  check_point(votes, point);
  for (size_t i = 0; i < slots_.size(); ++i) {
    slots_[i].present = votes[i] > 0;
    take(slots_[i]);
  }
  raw_ = false;
  reset_flights();
}

// Gives the parameter what was reduced, if any process had a gradient for it.
void Synchroniser::take(Slot& slot) {
  slot.condition = Condition::Equal;
  if (!slot.present) {
    return;
  }
  if (slot.kept.defined() && slot.parameter.grad().is_same(slot.kept)) {
    torch::NoGradGuard no_grad;
    slot.kept.detach().copy_(slot.part);
    slot.version = slot.kept._version();
    return;
  }
  slot.kept = torch::Tensor();
  if (!slot.parameter.grad().defined()) {
    slot.parameter.mutable_grad() = slot.part;
  }
  slot.version = slot.part._version();
}

void Synchroniser::settle() {
  settle_owned();
  if (shares_parameters_) {
    std::vector<Synchroniser*> owners;
    for (const Entry& entry : entries_) {
      auto* owner = entry.foreign ? state_->owner(entry.parameter) : nullptr;
      if (owner != nullptr && std::find(owners.begin(), owners.end(), owner) == owners.end()) {
        owners.push_back(owner);
        owner->settle_owned();
      }
    }
  }
}

void Synchroniser::settle_owned() {
  refuse_if_broken();
  if (optimizer_changed()) {
    rebuild_together();
  }
  bool changed = raw_;
  for (size_t i = 0; !changed && i < slots_.size(); ++i) {
    changed = slots_[i].parameter.grad().defined() && !is_untouched(slots_[i]);
  }
  if (changed) {
    reset_flights();
    launch_all(Point::Step);
    finish(Point::Step);
  }
}

void Synchroniser::accept() {
  for (Slot& slot : slots_) {
    if (slot.condition == Condition::Equal && slot.parameter.grad().defined()) {
      slot.version = slot.parameter.grad()._version();
    }
  }
}

void Synchroniser::leave(bool clean) {
  if (group_ && !clean) {
    group_->abandon();
  }
  group_.reset();
  broken_ = "the process has left its group";
}

} // namespace accel::detail
