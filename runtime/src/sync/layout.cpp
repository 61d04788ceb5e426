// Which parameters a synchroniser has, where their gradients lie, and what happens when that
// changes.
#include "sync/manifest.h"
#include "sync/synchroniser.h"

#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace accel::detail {
namespace {

constexpr double mib = 1024.0 * 1024.0;

} // namespace

// What this synchroniser takes care of: the optimizer's parameters that are trained, each once,
// less those of another optimizer prepared before.
std::vector<torch::Tensor> Synchroniser::trainable() const {
  std::vector<torch::Tensor> parameters;
  std::unordered_set<c10::TensorImpl*> seen;
  for (const auto& group : optimizer_->param_groups()) {
    for (const auto& parameter : group.params()) {
      if (parameter.requires_grad() && seen.insert(parameter.unsafeGetTensorImpl()).second) {
        const auto* owner = state_->owner(parameter);
        if (owner == nullptr || owner == this) {
          parameters.push_back(parameter);
        }
      }
    }
  }
  return parameters;
}

// Called at every backward and step: allocates nothing.
bool Synchroniser::optimizer_changed() const {
  size_t position = 0;
  for (const auto& group : optimizer_->param_groups()) {
    for (const auto& parameter : group.params()) {
      if (position == entries_.size()) {
        return true;
      }
      const Entry& entry = entries_[position++];
      if (!parameter.is_same(entry.parameter) || parameter.requires_grad() != entry.trained) {
        return true;
      }
      if (entry.slot < 0 ? entry.foreign && state_->owner(parameter) == nullptr
                         : !matches(slots_[static_cast<size_t>(entry.slot)])) {
        return true;
      }
    }
  }
  return position != entries_.size();
}

bool Synchroniser::matches(const Slot& slot) {
  return slot.parameter.scalar_type() == slot.dtype && slot.parameter.device() == slot.device &&
         slot.parameter.sizes() == slot.sizes && slot.hook.is_on(slot.parameter);
}

void Synchroniser::list_entries() {
  entries_.clear();
  std::unordered_map<c10::TensorImpl*, int64_t> positions;
  for (size_t i = 0; i < slots_.size(); ++i) {
    positions[slots_[i].parameter.unsafeGetTensorImpl()] = static_cast<int64_t>(i);
  }
  shares_parameters_ = false;
  for (const auto& group : optimizer_->param_groups()) {
    for (const auto& parameter : group.params()) {
      const auto found = positions.find(parameter.unsafeGetTensorImpl());
      const int64_t slot = found == positions.end() ? -1 : found->second;
      const bool trained = parameter.requires_grad();
      entries_.push_back({parameter, trained, trained && slot < 0, slot});
      shares_parameters_ = shares_parameters_ || entries_.back().foreign;
    }
  }
}

std::string Synchroniser::name_of(const torch::Tensor& parameter) const {
  std::string name = state_->name_of(parameter);
  if (!name.empty()) {
    return name;
  }
  size_t group_index = 0;
  for (const auto& group : optimizer_->param_groups()) {
    for (size_t i = 0; i < group.params().size(); ++i) {
      if (group.params()[i].is_same(parameter)) {
        return "parameter " + std::to_string(i) + " of group " + std::to_string(group_index);
      }
    }
    ++group_index;
  }
  return "a parameter";
}

// Lays the buckets out anew; a collective, since all processes must have the same.
void Synchroniser::build(std::vector<torch::Tensor> parameters) {
  std::vector<std::string> lines;
  for (const auto& parameter : parameters) {
    lines.push_back(detail::describe(name_of(parameter), parameter));
  }
  verify_same(*state_, "the optimizer's list of parameters", lines);

  std::unordered_map<c10::TensorImpl*, Slot*> before;
  std::vector<Slot> old = std::move(slots_);
  for (Slot& slot : old) {
    before[slot.parameter.unsafeGetTensorImpl()] = &slot;
  }
  state_->disown(*this);
  slots_.clear();
  std::vector<size_t> dense;
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (!state_->is_sparse(parameters[i])) {
      dense.push_back(i);
    }
  }
  any_sparse_ = dense.size() < parameters.size();
  buckets_ = plan_buckets(parameters, dense, state_->first_bucket_mb() * mib,
                          state_->bucket_cap_mb() * mib);
  const auto votes = static_cast<int64_t>(parameters.size()) + int64_t{2} * state_->size();
  votes_in_bucket_ = false;
  std::vector<Extent> extents;
  for (size_t b = 0; b < buckets_.size(); ++b) {
    const auto& first = parameters[buckets_[b].members.front()];
    const bool room = b + 1 == buckets_.size() && first.is_cpu() && first.is_floating_point();
    extents.push_back(extent_of(buckets_[b], parameters, room ? votes : 0));
    votes_in_bucket_ = votes_in_bucket_ || room;
  }
  const auto memory = group_->allocate(extents);
  for (size_t b = 0; b < buckets_.size(); ++b) {
    buckets_[b].flat = memory[b];
  }
  votes_ = votes_in_bucket_ ? buckets_.back().flat.narrow(0, buckets_.back().values, votes)
                            : torch::zeros({votes}, torch::kFloat);
  all_on_cpu_ = true;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const auto found = before.find(parameters[i].unsafeGetTensorImpl());
    Slot* known = found == before.end() ? nullptr : found->second;
    const bool hooked = known != nullptr && known->hook.is_on(parameters[i]);
    slots_.emplace_back(parameters[i],
                        hooked ? std::move(known->hook) : AccumulationHook(parameters[i]));
    slots_.back().name = lines[i];
    slots_.back().sparse = state_->is_sparse(parameters[i]);
    slots_.back().hook.retarget(this, i);
    all_on_cpu_ = all_on_cpu_ && parameters[i].is_cpu();
    state_->own(parameters[i], *this);
  }
  for (size_t b = 0; b < buckets_.size(); ++b) {
    for (size_t m = 0; m < buckets_[b].members.size(); ++m) {
      Slot& slot = slots_[buckets_[b].members[m]];
      slot.bucket = b;
      slot.part = part_of(buckets_[b], buckets_[b].offsets[m], slot.parameter);
      const auto found = before.find(slot.parameter.unsafeGetTensorImpl());
      move_gradient(slot, found == before.end() ? nullptr : found->second);
    }
  }
  for (Slot& slot : slots_) {
    if (slot.sparse) {
      const auto found = before.find(slot.parameter.unsafeGetTensorImpl());
      move_gradient(slot, found == before.end() ? nullptr : found->second);
    }
  }
  list_entries();
  reset_flights();
}

// Takes a gradient that was there before its bucket into the bucket, in the condition it was in.
void Synchroniser::move_gradient(Slot& slot, const Slot* before) {
  slot.condition = before != nullptr && is_untouched(*before) ? Condition::Equal : Condition::Raw;
  if (before != nullptr && !slot.parameter.grad().defined()) {
    slot.condition = Condition::Equal;
  }
  if (before == nullptr && !slot.parameter.grad().defined()) {
    slot.condition = Condition::Equal;
    return;
  }
  if (slot.parameter.grad().defined()) {
    if (slot.sparse) {
      slot.kept = slot.parameter.grad();
      slot.version = slot.kept._version();
    } else {
      ingest(slot);
      slot.version = slot.part._version();
    }
    raw_ = raw_ || slot.condition == Condition::Raw;
  }
}

// The optimizer's parameters changed. If they did on every process, all come here at the same point
// and learn it from the stamps of a reduction on the old layout; else the stamps are an error.
void Synchroniser::rebuild_together() {
  if (!slots_.empty()) {
    torch::NoGradGuard no_grad;
    // The buckets themselves, since others may reduce theirs; what they hold waits beside them.
    std::vector<torch::Tensor> values;
    for (const Bucket& bucket : buckets_) {
      values.push_back(bucket.flat.clone());
      bucket.flat.zero_();
    }
    group_->arrive(place_);
    write_votes(Point::Rebuild);
    std::vector<Pending> pending;
    for (const Bucket& bucket : buckets_) {
      pending.push_back(group_->all_reduce(bucket.flat, Sum, WireFormat::AsIs));
    }
    if (!votes_in_bucket_) {
      pending.push_back(group_->all_reduce(votes_, Sum, WireFormat::AsIs));
    }
    for (auto& work : pending) {
      work.wait("agreeing on a changed list of parameters");
    }
    check_point(read_votes(), Point::Rebuild);
    for (size_t b = 0; b < buckets_.size(); ++b) {
      buckets_[b].flat.copy_(values[b]);
    }
  }
  build(trainable());
}

} // namespace accel::detail
