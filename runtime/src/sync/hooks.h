// Being told when autograd adds to a parameter's gradient.
#pragma once

#include <torch/csrc/autograd/variable.h>
#include <torch/types.h>

#include <cstddef>
#include <memory>

namespace accel::detail {

/// Who is told. Called by the thread that runs backward for the parameter's device.
class GradientListener {
public:
  virtual ~GradientListener() = default;
  /// Before `gradient` is added; what is returned is added in its place.
  virtual torch::Tensor before_accumulation(size_t index, const torch::Tensor& gradient) = 0;
  /// After it was added.
  virtual void after_accumulation(size_t index) = 0;
};

/// Keeps hooks on one parameter's gradient accumulator, and with them the accumulator. Without a
/// listener (retargeted to null, or destroyed) the hooks do nothing.
class AccumulationHook {
public:
  explicit AccumulationHook(const torch::Tensor& parameter);
  AccumulationHook(AccumulationHook&&) = default;
  AccumulationHook& operator=(AccumulationHook&& other) noexcept;
  ~AccumulationHook();

  void retarget(GradientListener* listener, size_t index);
  /// Whether the parameter still has the accumulator that the hooks are on; it gets another when
  /// its dtype or device changes.
  bool is_on(const torch::Tensor& parameter) const;

  struct Target {
    GradientListener* listener = nullptr;
    size_t index = 0;
  };

private:
  // A shared_ptr or an intrusive_ptr, by libtorch's version.
  using Accumulator =
      decltype(torch::autograd::impl::grad_accumulator(std::declval<const torch::Tensor&>()));

  std::shared_ptr<Target> target_;
  Accumulator accumulator_;
};

} // namespace accel::detail
