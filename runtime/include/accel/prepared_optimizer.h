// An optimizer whose gradients are the same on every process when it steps.
#pragma once

#include <torch/optim/optimizer.h>

#include <memory>
#include <type_traits>
#include <utility>

namespace accel {
namespace detail {

class State;
class Synchroniser;

/// The synchroniser of an optimizer's gradients; null on one process. A collective.
std::shared_ptr<Synchroniser> make_synchroniser(const std::shared_ptr<State>& state,
                                                torch::optim::Optimizer& optimizer);
/// Tells the synchroniser where its optimizer lives now.
void attach(Synchroniser& synchroniser, torch::optim::Optimizer& optimizer);
/// Makes the gradients equal on all processes, if they are not yet.
void before_step(Synchroniser& synchroniser);
/// Counts the step, so that a process that skips one is found out.
void after_step(Synchroniser& synchroniser);
/// The loss of a closure over all processes: averaged by rows, or summed if its backward was.
torch::Tensor closure_loss(Synchroniser& synchroniser, const torch::Tensor& loss);

} // namespace detail

/// An `O` (SGD, Adam, LBFGS, one of your own, …) that synchronises its gradients before it steps.
/// It is made by Accelerator::prepare from an `O`, by moving it, and can be used wherever an `O` or
/// a torch::optim::Optimizer can. On one process it does what `O` does and nothing else.
///
/// A closure given to step() has its gradients synchronised and its loss averaged before the
/// optimizer sees them.
///
/// Errors: step() throws c10::Error where the processes turn out to be at different points of the
/// program, a gradient is sparse, or another process is gone. Not thread-safe, like `O` itself.
template <class O> class PreparedOptimizer : public O {
  static_assert(std::is_base_of_v<torch::optim::Optimizer, O>,
                "accel: prepare() was given something that is not a torch::optim::Optimizer");
  static_assert(std::is_move_constructible_v<O>,
                "accel: prepare() builds on the optimizer by moving it; give its class a move "
                "constructor");

public:
  using O::step;
  using typename torch::optim::Optimizer::LossClosure;

  PreparedOptimizer(O&& optimizer, const std::shared_ptr<detail::State>& state)
      : O(std::move(optimizer)), synchroniser_(detail::make_synchroniser(state, *this)) {}

  PreparedOptimizer(PreparedOptimizer&& other) noexcept
      : O(std::move(static_cast<O&>(other))), synchroniser_(std::move(other.synchroniser_)) {
    if (synchroniser_) {
      detail::attach(*synchroniser_, *this);
    }
  }

  torch::Tensor step(LossClosure closure = nullptr) override {
    if (!synchroniser_) {
      return O::step(std::move(closure));
    }
    if (closure) {
      closure = [this, inner = std::move(closure)] {
        const torch::Tensor loss = inner();
        detail::before_step(*synchroniser_);
        return detail::closure_loss(*synchroniser_, loss);
      };
    } else {
      detail::before_step(*synchroniser_);
    }
    torch::Tensor loss = O::step(std::move(closure));
    detail::after_step(*synchroniser_);
    return loss;
  }

private:
  std::shared_ptr<detail::Synchroniser> synchroniser_;
};

} // namespace accel
