#include "sync/hooks.h"

#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>

#include <utility>

namespace accel::detail {
namespace {

using torch::autograd::variable_list;
using Target = std::shared_ptr<AccumulationHook::Target>;

class Before : public torch::autograd::FunctionPreHook {
public:
  explicit Before(Target target) : target_(std::move(target)) {}
  variable_list operator()(const variable_list& gradients) override {
    if (target_->listener == nullptr || gradients.size() != 1 || !gradients[0].defined()) {
      return gradients;
    }
    return {target_->listener->before_accumulation(target_->index, gradients[0])};
  }

private:
  Target target_;
};

class After : public torch::autograd::FunctionPostHook {
public:
  explicit After(Target target) : target_(std::move(target)) {}
  variable_list operator()(const variable_list& outputs, const variable_list&) override {
    if (target_->listener != nullptr) {
      target_->listener->after_accumulation(target_->index);
    }
    return outputs;
  }

private:
  Target target_;
};

} // namespace

AccumulationHook::AccumulationHook(const torch::Tensor& parameter)
    : target_(std::make_shared<Target>()),
      accumulator_(torch::autograd::impl::grad_accumulator(parameter)) {
  accumulator_->add_pre_hook(std::make_unique<Before>(target_));
  accumulator_->add_post_hook(std::make_unique<After>(target_));
}

AccumulationHook& AccumulationHook::operator=(AccumulationHook&& other) noexcept {
  if (target_) {
    target_->listener = nullptr;
  }
  target_ = std::move(other.target_);
  accumulator_ = std::move(other.accumulator_);
  return *this;
}

AccumulationHook::~AccumulationHook() {
  if (target_) {
    target_->listener = nullptr;
  }
}

void AccumulationHook::retarget(GradientListener* listener, size_t index) {
  *target_ = {listener, index};
}

bool AccumulationHook::is_on(const torch::Tensor& parameter) const {
  return torch::autograd::impl::try_get_grad_accumulator(parameter) == accumulator_;
}

} // namespace accel::detail
