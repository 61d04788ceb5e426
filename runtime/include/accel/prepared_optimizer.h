// An optimizer whose gradients are the same on every process when it steps.
#pragma once

#include <torch/optim/optimizer.h>

#include <memory>
#include <type_traits>
#include <utility>

namespace accel {
namespace detail {

class State;
class Preparation;

/// What is kept of a prepared optimizer. A collective.
std::shared_ptr<Preparation> prepare_optimizer(const std::shared_ptr<State>& state,
                                               torch::optim::Optimizer& optimizer);
/// Tells it where its optimizer lives now.
void attach(Preparation& preparation, torch::optim::Optimizer& optimizer);
/// Whether the accumulation window goes on: then the optimizer makes no step.
bool is_accumulating(const Preparation& preparation);
/// Whether the gradients are those of a window's earlier micro-batches, not to be cleared yet.
bool keeps_gradients(const Preparation& preparation);
/// Whether there are other processes.
bool is_distributed(const Preparation& preparation);
/// Makes the gradients equal on all processes, if they are not yet.
void before_step(Preparation& preparation);
/// Counts the step, so that a process that skips one is found out.
void after_step(Preparation& preparation);
/// The loss of a closure over all processes, reduced as its backward was.
torch::Tensor closure_loss(Preparation& preparation, const torch::Tensor& loss);

/// What all prepared optimizers are, whatever their class.
class Prepared {
public:
  virtual ~Prepared() = default;
};

template <class O> struct IsPrepared : std::is_base_of<Prepared, O> {};

} // namespace detail

/// An `O` (SGD, Adam, LBFGS, one of your own, …) that synchronises its gradients before it steps.
/// It is made by Accelerator::prepare from an `O`, by moving it, and can be used wherever an `O` or
/// a torch::optim::Optimizer can. On one process it does what `O` does and nothing else.
///
/// A closure given to step() has its gradients synchronised and its loss averaged before the
/// optimizer sees them.
///
/// In an accumulation window (Accelerator::accumulate) that is not complete, step() does nothing,
/// and zero_grad() leaves what the window's micro-batches have added up: it may stand before
/// backward or after step.
///
/// Errors: step() throws c10::Error where the processes turn out to be at different points of the
/// program or another process is gone. Not thread-safe, like `O` itself.
template <class O> class PreparedOptimizer : public O, public detail::Prepared {
  static_assert(std::is_base_of_v<torch::optim::Optimizer, O>,
                "accel: prepare() was given something that is not a torch::optim::Optimizer");
  static_assert(std::is_move_constructible_v<O>,
                "accel: prepare() builds on the optimizer by moving it; give its class a move "
                "constructor");

public:
  using O::step;
  using typename torch::optim::Optimizer::LossClosure;

  PreparedOptimizer(O&& optimizer, const std::shared_ptr<detail::State>& state)
      : O(std::move(optimizer)), preparation_(detail::prepare_optimizer(state, *this)) {}

  PreparedOptimizer(PreparedOptimizer&& other) noexcept
      : O(std::move(static_cast<O&>(other))), preparation_(std::move(other.preparation_)) {
    detail::attach(*preparation_, *this);
  }

  torch::Tensor step(LossClosure closure = nullptr) override {
    if (detail::is_accumulating(*preparation_)) {
      return {};
    }
    if (!detail::is_distributed(*preparation_)) {
      return O::step(std::move(closure));
    }
    if (closure) {
      closure = [this, inner = std::move(closure)] {
        const torch::Tensor loss = inner();
        detail::before_step(*preparation_);
        return detail::closure_loss(*preparation_, loss);
      };
    } else {
      detail::before_step(*preparation_);
    }
    torch::Tensor loss = O::step(std::move(closure));
    detail::after_step(*preparation_);
    return loss;
  }

  /// O::zero_grad with the same arguments.
  template <class... A> void zero_grad(A... arguments) {
    if (!detail::keeps_gradients(*preparation_)) {
      O::zero_grad(arguments...);
    }
  }

private:
  std::shared_ptr<detail::Preparation> preparation_;
};

} // namespace accel
