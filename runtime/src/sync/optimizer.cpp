// What a prepared optimizer calls.
#include "ops/collectives.h"
#include "state/state.h"
#include "sync/preparation.h"

#include <accel/accelerator.h>
#include <accel/prepared_optimizer.h>

#include <torch/optim.h>

#include <memory>
#include <utility>

namespace accel::detail {
namespace {

template <class O>
std::unique_ptr<torch::optim::Optimizer> prepare_if(const std::shared_ptr<State>& state,
                                                    torch::optim::Optimizer& optimizer) {
  if (typeid(optimizer) != typeid(O)) {
    return nullptr;
  }
  return std::make_unique<PreparedOptimizer<O>>(std::move(static_cast<O&>(optimizer)), state);
}

template <class... O>
std::unique_ptr<torch::optim::Optimizer> prepare_any_of(const std::shared_ptr<State>& state,
                                                        torch::optim::Optimizer& optimizer) {
  std::unique_ptr<torch::optim::Optimizer> prepared;
  static_cast<void>(((prepared = prepare_if<O>(state, optimizer)) || ...));
  return prepared;
}

} // namespace

std::shared_ptr<Preparation> prepare_optimizer(const std::shared_ptr<State>& state,
                                               torch::optim::Optimizer& optimizer) {
  auto preparation = std::make_shared<Preparation>(state, optimizer);
  state->add(preparation);
  return preparation;
}

void attach(Preparation& preparation, torch::optim::Optimizer& optimizer) {
  preparation.attach(optimizer);
}

bool is_accumulating(const Preparation& preparation) {
  return preparation.state().accumulates();
}

bool keeps_gradients(const Preparation& preparation) {
  return preparation.keeps_gradients();
}

bool is_distributed(const Preparation& preparation) {
  return preparation.synchroniser() != nullptr;
}

void before_step(Preparation& preparation) {
  preparation.synchroniser()->settle();
}

void after_step(Preparation& preparation) {
  preparation.synchroniser()->stepped();
}

torch::Tensor closure_loss(Preparation& preparation, const torch::Tensor& loss) {
  State& state = preparation.state();
  return state.last_reduction == Sum ? reduce(state, loss.detach(), Sum).div_(state.last_count)
                                     : mean(state, loss);
}

std::unique_ptr<torch::optim::Optimizer> prepare_dynamic(const std::shared_ptr<State>& state,
                                                         torch::optim::Optimizer& optimizer) {
  using namespace torch::optim;
  auto prepared = prepare_any_of<SGD, Adam, AdamW, RMSprop, Adagrad, LBFGS>(state, optimizer);
  TORCH_CHECK(prepared,
              "accel: prepare() was given a pointer to torch::optim::Optimizer that holds "
              "a class it does not know (",
              c10::demangle(typeid(optimizer).name()), "); give it a pointer to the class itself");
  return prepared;
}

void refuse_shared_optimizer(long owners) {
  TORCH_CHECK(false, "accel: prepare() was given a shared_ptr to an optimizer that ", owners,
              " other owner(s) hold too; prepare it before it is shared, with std::move");
}

} // namespace accel::detail
