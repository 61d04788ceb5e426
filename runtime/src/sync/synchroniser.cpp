#include "sync/synchroniser.h"

#include "sync/model.h"
#include "sync/zero.h"

#include <algorithm>
#include <utility>

namespace accel::detail {
namespace {

WireFormat wire_of(Compression compression) {
  return compression == Compression::Fp16   ? WireFormat::Half
         : compression == Compression::Bf16 ? WireFormat::BFloat16
                                            : WireFormat::AsIs;
}

} // namespace

Synchroniser::Slot::Slot(torch::Tensor of, AccumulationHook on)
    : parameter(std::move(of)), hook(std::move(on)), dtype(parameter.scalar_type()),
      device(parameter.device()), sizes(parameter.sizes().vec()) {}

Synchroniser::Synchroniser(std::shared_ptr<State> state, torch::optim::Optimizer& optimizer)
    : state_(std::move(state)), optimizer_(&optimizer), group_(state_->new_group("gradients")),
      place_("the gradients of prepared optimizer " +
             std::to_string(state_->preparations().size())) {
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
  refresh_local();
  reset_flights();
  eager_ = false;
}

// Local gradients are the program's between two backwards: it may have cleared or replaced them.
void Synchroniser::refresh_local() {
  torch::NoGradGuard no_grad;
  for (Slot& slot : slots_) {
    if (slot.condition != Condition::Local) {
      continue;
    }
    if (!slot.parameter.grad().defined()) {
      slot.condition = Condition::Equal;
      slot.present = false;
    } else if (!slot.sparse && !(slot.kept.defined() && slot.parameter.grad().is_same(slot.kept))) {
      ingest(slot);
    }
  }
}

bool Synchroniser::holds_local() const {
  return std::any_of(slots_.begin(), slots_.end(),
                     [](const Slot& slot) { return slot.condition == Condition::Local; });
}

void Synchroniser::scale_local(double factor) {
  refresh_local();
  torch::NoGradGuard no_grad;
  for (Slot& slot : slots_) {
    if (slot.condition != Condition::Local) {
      continue;
    }
    if (slot.sparse || slot.kept.defined()) {
      slot.parameter.mutable_grad() = slot.parameter.grad().detach() * factor;
      if (!slot.sparse) {
        ingest(slot);
      }
    } else {
      slot.part.mul_(factor);
    }
  }
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
  if (slot.part.use_count() > 1) {
    // The program still holds the gradient of an earlier step: it keeps those values.
    torch::Tensor held = slot.part;
    const auto& bucket = buckets_[slot.bucket];
    slot.part = part_of(bucket, held.storage_offset(), slot.parameter);
    const auto copy = held.clone();
    held.set_(copy.storage(), copy.storage_offset(), copy.sizes(), copy.strides());
  }
  if (gradient.is_sparse()) {
    // Of an embedding that no prepared model has: as a dense one it is right too.
    slot.part.zero_();
    slot.part.add_(gradient.detach());
  } else {
    slot.part.copy_(gradient.detach());
  }
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
  if (slot.sparse) {
    contribute_sparse(slot);
    return;
  }
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
      slot.sparse || !flights_[slot.bucket].launched, "accel: ", slot.name,
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
  } else if (slot.present && !slot.sparse) {
    ingest(slot);
  }
  touched_ = true;
  ++ready_;
  if (slot.sparse) {
    return;
  }
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
  flights_[bucket].pending =
      group_->all_reduce(buckets_[bucket].flat, Sum, wire_of(state_->compression()));
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
  group_->arrive(place_);
  for (Slot& slot : slots_) {
    if (slot.sparse && slot.condition != Condition::Local) {
      contribute(slot);
    }
  }
  try {
    Pending separate;
    if (!votes_in_bucket_ && !slots_.empty()) {
      write_votes(point);
      separate = group_->all_reduce(votes_, Sum, WireFormat::AsIs);
    }
    for (size_t b = 0; b < buckets_.size(); ++b) {
      flights_[b].pending.wait(describe(b));
    }
    separate.wait("the exchange of which gradients there are");
  } catch (const std::exception&) {
    broken_ = "an earlier synchronisation of gradients failed; the program can't go on from there";
    throw;
  }
  const std::vector<double> votes = read_votes();
  check_point(votes, point);
  for (size_t i = 0; i < slots_.size(); ++i) {
    if (!slots_[i].sparse) {
      slots_[i].present = votes[i] > 0;
      take(slots_[i]);
    }
  }
  reduce_sparse();
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
  refresh_local();
  bool changed = raw_ || holds_local();
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
