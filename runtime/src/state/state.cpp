#include "state/state.h"

#include "comm/join.h"
#include "data/random.h"
#include "state/device.h"
#include "state/malloc.h"
#include "sync/preparation.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace accel::detail {
namespace {

constexpr auto default_timeout = std::chrono::minutes(30);
// How long a process that is done waits for the others, so that none loses what it still sends
// them.
constexpr auto longest_farewell = std::chrono::seconds(10);

// Never destroyed: what must happen before the end of the process happens in leave().
std::shared_ptr<State>& process_state() {
  static auto* state = new std::shared_ptr<State>();
  return *state;
}

// `in_force`: a T, or an optional one where the option can be unset.
template <class T, class InForce>
void refuse_contradiction(const char* option, const torch::optional<T>& asked,
                          const InForce& in_force) {
  if (asked && *asked != in_force) {
    throw std::runtime_error(
        std::string("accel: this Accelerator asks for another ") + option +
        " than the first one of the process, which decides for all. Give the option to the first "
        "Accelerator, or leave it out here.");
  }
}

torch::optional<bool> given_or_from(const torch::optional<bool>& option,
                                    const std::optional<bool>& environment) {
  if (option || !environment) {
    return option;
  }
  return *environment;
}

} // namespace

std::shared_ptr<State> State::get(const AcceleratorOptions& options) {
  auto& state = process_state();
  if (state) {
    state->check_against(options);
    return state;
  }
  state = std::make_shared<State>(options, read_environment());
  agree_on_random_numbers(*state);
  return state;
}

std::shared_ptr<State> State::current() {
  return process_state();
}

State::State(const AcceleratorOptions& options, Environment environment)
    : environment_(std::move(environment)), use_cpu_(options.cpu().value_or(environment_.use_cpu)),
      split_batches_(options.split_batches().value_or(environment_.split_batches)),
      even_batches_(given_or_from(options.even_batches(), environment_.even_batches)),
      dispatch_batches_(given_or_from(options.dispatch_batches(), environment_.dispatch_batches)),
      non_blocking_(options.non_blocking().value_or(environment_.non_blocking)),
      timeout_(options.timeout().value_or(default_timeout)),
      compression_(options.gradient_compression().value_or(Compression::None)),
      bucket_cap_mb_(options.bucket_cap_mb().value_or(25)),
      first_bucket_mb_(options.first_bucket_mb().value_or(1)),
      window_(window_length(options, environment_)) {
  if (timeout_.count() <= 0 || bucket_cap_mb_ <= 0 || first_bucket_mb_ <= 0) {
    throw std::runtime_error("accel: timeout and bucket sizes must be greater than zero");
  }
  environment_.shared_memory = options.shared_memory().value_or(environment_.shared_memory);
  keep_activations_mapped();
  device_ = choose_device(environment_, use_cpu_);
  if (size() == 1) {
    return;
  }
  rendezvous_ = join(environment_, timeout_, device_);
  group_ = new_group("main");
#ifdef __GLIBC__
  on_exit(&State::leave_at_exit, this);
#else
  std::atexit([] { process_state()->leave(true); });
#endif
}

int64_t State::window_length(const AcceleratorOptions& options, const Environment& environment) {
  const auto asked = options.gradient_accumulation_steps();
  const int64_t set = environment.gradient_accumulation_steps;
  if (asked && *asked < 1) {
    throw std::runtime_error("accel: gradient_accumulation_steps is " + std::to_string(*asked) +
                             "; it must be 1 or more");
  }
  if (asked && set != 0 && *asked != set) {
    throw std::runtime_error(
        "accel: the program asks for gradient_accumulation_steps(" + std::to_string(*asked) +
        "), and ACCELERATE_GRADIENT_ACCUMULATION_STEPS=" + std::to_string(set) +
        " is in the environment. Give it in one of the two places.");
  }
  return asked ? *asked : set != 0 ? set : 1;
}

void State::check_against(const AcceleratorOptions& options) const {
  refuse_contradiction("split_batches", options.split_batches(), split_batches_);
  refuse_contradiction("even_batches", options.even_batches(), even_batches_);
  refuse_contradiction("dispatch_batches", options.dispatch_batches(), dispatch_batches_);
  refuse_contradiction("non_blocking", options.non_blocking(), non_blocking_);
  refuse_contradiction("cpu", options.cpu(), use_cpu_);
  refuse_contradiction("gradient_accumulation_steps", options.gradient_accumulation_steps(),
                       window_.length());
  refuse_contradiction("gradient_compression", options.gradient_compression(), compression_);
  refuse_contradiction("timeout", options.timeout(), timeout_);
  refuse_contradiction("bucket_cap_mb", options.bucket_cap_mb(), bucket_cap_mb_);
  refuse_contradiction("first_bucket_mb", options.first_bucket_mb(), first_bucket_mb_);
  refuse_contradiction("shared_memory", options.shared_memory(), environment_.shared_memory);
}

// exit() calls this before it destroys what was constructed before the group, libtorch's own
// statics among it: c10d's threads must be gone by then. A process that ends with an error doesn't
// wait for the others, which may never come.
void State::leave_at_exit(int status, void* state) {
  static_cast<State*>(state)->leave(status == 0);
}

void State::leave(bool in_order) {
  if (!group_) {
    return;
  }
  bool all_left = false;
  if (in_order) {
    try {
      Record record;
      record.action = Record::Action::Exit;
      detail::exchange(*group_, record, rank(), longest_farewell);
      all_left = true;
    } catch (const std::exception&) {
      // Another process failed or does something else: it reports that itself.
    }
  }
  for (const auto& synchroniser : synchronisers()) {
    synchroniser->leave(all_left);
  }
  if (!all_left) {
    group_->abandon();
  }
  group_.reset();
  rendezvous_.reset();
}

std::unique_ptr<Group> State::new_group(const std::string& purpose) {
  return std::make_unique<Group>(rendezvous_,
                                 "group" + std::to_string(groups_made_++) + "/" + purpose);
}

std::vector<Record> State::exchange(const Record& mine) {
  TORCH_CHECK(group_, "accel: ", mine.text(), " was called after the process left its group");
  TORCH_CHECK(
      !current_share().evaluation, "accel: ", mine.text(),
      " was called inside a loop that the processes run different numbers of times: one over "
      "an evaluation loader, or the last round where even_batches(false) leaves some "
      "without a batch. Add up in the loop and reduce after it.");
  return detail::exchange(*group_, mine, rank());
}

Share State::current_share() const {
  if (const auto share = passes_.share()) {
    return *share;
  }
  Share outside;
  outside.all_rows = size();
  return outside;
}

void State::add(const std::shared_ptr<Preparation>& preparation) {
  preparations_.emplace_back(preparation);
}

std::vector<std::shared_ptr<Preparation>> State::preparations() {
  std::vector<std::shared_ptr<Preparation>> alive;
  auto& all = preparations_;
  for (size_t i = 0; i < all.size();) {
    if (auto preparation = all[i].lock()) {
      alive.push_back(std::move(preparation));
      ++i;
    } else {
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return alive;
}

std::vector<std::shared_ptr<Synchroniser>> State::synchronisers() {
  std::vector<std::shared_ptr<Synchroniser>> all;
  for (const auto& preparation : preparations()) {
    if (preparation->synchroniser()) {
      all.push_back(preparation->synchroniser());
    }
  }
  return all;
}

bool State::own(const torch::Tensor& parameter, Synchroniser& synchroniser) {
  return owners_.emplace(parameter.unsafeGetTensorImpl(), &synchroniser).first->second ==
         &synchroniser;
}

void State::disown(Synchroniser& synchroniser) {
  for (auto entry = owners_.begin(); entry != owners_.end();) {
    entry = entry->second == &synchroniser ? owners_.erase(entry) : std::next(entry);
  }
}

Synchroniser* State::owner(const torch::Tensor& parameter) const {
  const auto entry = owners_.find(parameter.unsafeGetTensorImpl());
  return entry == owners_.end() ? nullptr : entry->second;
}

void State::name(const torch::Tensor& parameter, const std::string& name) {
  names_.insert_or_assign(parameter.unsafeGetTensorImpl(),
                          std::make_pair(WeakTensor(parameter.getIntrusivePtr()), name));
}

std::string State::name_of(const torch::Tensor& parameter) const {
  const auto entry = names_.find(parameter.unsafeGetTensorImpl());
  if (entry == names_.end() || entry->second.first.expired()) {
    return "";
  }
  return entry->second.second;
}

void State::add_sparse(const torch::Tensor& parameter) {
  if (!is_sparse(parameter)) {
    sparse_.emplace_back(parameter.getIntrusivePtr());
  }
}

bool State::is_sparse(const torch::Tensor& parameter) const {
  return std::any_of(sparse_.begin(), sparse_.end(), [&](const WeakTensor& known) {
    return !known.expired() && known._unsafe_get_target() == parameter.unsafeGetTensorImpl();
  });
}

void State::add_buffer(const torch::Tensor& buffer) {
  for (const auto& known : buffers_) {
    if (!known.expired() && known._unsafe_get_target() == buffer.unsafeGetTensorImpl()) {
      return;
    }
  }
  buffers_.emplace_back(buffer.getIntrusivePtr());
}

std::vector<torch::Tensor> State::buffers() {
  std::vector<torch::Tensor> alive;
  for (const auto& known : buffers_) {
    if (auto strong = known.lock()) {
      alive.emplace_back(torch::Tensor(std::move(strong)));
    }
  }
  return alive;
}

} // namespace accel::detail
