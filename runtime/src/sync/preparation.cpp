#include "sync/preparation.h"

#include "sync/zero.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace accel::detail {

Preparation::Preparation(std::shared_ptr<State> state, torch::optim::Optimizer& optimizer)
    : state_(std::move(state)), optimizer_(&optimizer) {
  if (state_->size() > 1) {
    synchroniser_ = std::make_shared<Synchroniser>(state_, optimizer);
  }
}

void Preparation::attach(torch::optim::Optimizer& optimizer) {
  optimizer_ = &optimizer;
  if (synchroniser_) {
    synchroniser_->attach(optimizer);
  }
}

void Preparation::for_each_gradient(const std::function<void(torch::Tensor&)>& action) {
  torch::NoGradGuard no_grad;
  std::unordered_set<c10::TensorImpl*> seen;
  for (auto& group : optimizer_->param_groups()) {
    for (auto& parameter : group.params()) {
      if (parameter.grad().defined() && seen.insert(parameter.unsafeGetTensorImpl()).second) {
        action(parameter);
      }
    }
  }
}

void Preparation::drop_gradients() {
  for_each_gradient([](torch::Tensor& parameter) { parameter.mutable_grad() = torch::Tensor(); });
  kept_.clear();
}

bool Preparation::Noted::is_unchanged() const {
  const torch::Tensor& now = parameter.grad();
  return now.unsafeGetTensorImpl() == gradient._unsafe_get_target() &&
         static_cast<int64_t>(now._version()) == version;
}

std::vector<Preparation::Noted> Preparation::note_all() {
  std::vector<Noted> all;
  for_each_gradient([&all](torch::Tensor& parameter) {
    const torch::Tensor& gradient = parameter.grad();
    all.push_back({parameter, WeakTensor(gradient.getIntrusivePtr()),
                   static_cast<int64_t>(gradient._version())});
  });
  return all;
}

void Preparation::check_kept() const {
  if (!keeps_gradients()) {
    return;
  }
  for (const Noted& kept : kept_) {
    const torch::Tensor& gradient = kept.parameter.grad();
    const bool cleared =
        !gradient.defined() ||
        (!kept.is_unchanged() && gradient.layout() == torch::kStrided && is_all_zero(gradient));
    TORCH_CHECK(!cleared, "accel: the gradient of a parameter of shape ", kept.parameter.sizes(),
                " was cleared inside an accumulation window, which would lose micro-batches. Call "
                "zero_grad() of the prepared optimizer itself (it leaves what a window adds up), "
                "not of the model nor through a reference to torch::optim::Optimizer, or call it "
                "only where accelerator.sync_gradients() is true, after step().");
  }
}

void Preparation::begin_backward() {
  before_ = note_all();
}

void Preparation::end_backward(bool more) {
  auto now = note_all();
  const bool reached = now.size() != before_.size() ||
                       std::any_of(before_.begin(), before_.end(),
                                   [](const Noted& noted) { return !noted.is_unchanged(); });
  before_.clear();
  if (!reached) {
    return;
  }
  kept_.clear();
  if (more) {
    kept_ = std::move(now);
    kept_in_ = state_->passes().number();
  }
}

bool Preparation::keeps_gradients() const {
  return !kept_.empty() && kept_in_ == state_->passes().number();
}

void with_settled_gradients(State& state, const std::vector<torch::Tensor>& parameters,
                            const std::function<void()>& action) {
  std::vector<std::shared_ptr<Synchroniser>> owners;
  for (const auto& synchroniser : state.synchronisers()) {
    const bool owns = std::any_of(parameters.begin(), parameters.end(), [&](const auto& parameter) {
      return state.owner(parameter) == synchroniser.get();
    });
    if (owns) {
      owners.push_back(synchroniser);
      synchroniser->settle();
    }
  }
  action();
  for (const auto& synchroniser : owners) {
    synchroniser->accept();
  }
}

void scale_gradients(State& state, double factor) {
  std::unordered_set<c10::TensorImpl*> scaled;
  for (const auto& preparation : state.preparations()) {
    if (!preparation->keeps_gradients()) {
      continue;
    }
    if (preparation->synchroniser()) {
      preparation->synchroniser()->scale_local(factor);
      continue;
    }
    preparation->for_each_gradient([&](torch::Tensor& parameter) {
      if (scaled.insert(parameter.unsafeGetTensorImpl()).second) {
        parameter.mutable_grad() = parameter.grad().detach().mul_(factor);
      }
    });
  }
}

} // namespace accel::detail
