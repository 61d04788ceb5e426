// What is kept of one prepared optimizer.
#pragma once

#include "state/state.h"
#include "sync/synchroniser.h"

#include <torch/optim/optimizer.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace accel::detail {

/// Where a prepared optimizer lives and, on several processes, what synchronises its gradients.
class Preparation {
public:
  Preparation(std::shared_ptr<State> state, torch::optim::Optimizer& optimizer);
  Preparation(const Preparation&) = delete;
  Preparation& operator=(const Preparation&) = delete;

  void attach(torch::optim::Optimizer& optimizer);
  State& state() const { return *state_; }
  /// Null on one process.
  const std::shared_ptr<Synchroniser>& synchroniser() const { return synchroniser_; }

  /// Calls `action` on each parameter that has a gradient, once.
  void for_each_gradient(const std::function<void(torch::Tensor&)>& action);
  /// Forgets all gradients.
  void drop_gradients();
  /// Remembers the gradients that a micro-batch leaves for the next one, if it leaves any.
  void remember_gradients(bool any);
  /// Throws where one of them was cleared since.
  void check_remembered() const;

private:
  // A gradient that is to be there at the next micro-batch.
  struct Remembered {
    torch::Tensor parameter;
    int64_t version;
  };

  std::shared_ptr<State> state_;
  torch::optim::Optimizer* optimizer_;
  std::shared_ptr<Synchroniser> synchroniser_;
  std::vector<Remembered> remembered_;
};

/// Runs `action`, which reads and changes the parameters' gradients alike on all processes, when
/// they are synchronised.
void with_settled_gradients(State& state, const std::vector<torch::Tensor>& parameters,
                            const std::function<void()>& action);

/// Multiplies the gradients that the window's micro-batches before have left.
void scale_gradients(State& state, double factor);

} // namespace accel::detail
