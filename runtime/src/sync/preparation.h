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

  // Around the backward of a micro-batch, in this order.
  /// Throws where gradients that the window keeps were cleared since.
  void check_kept() const;
  /// Notes the gradients as they are.
  void begin_backward();
  /// Where the backward reached any: they are kept for the window's next micro-batch (`more`), or
  /// complete.
  void end_backward(bool more);
  /// Whether the window under way keeps gradients.
  bool keeps_gradients() const;

private:
  using WeakTensor = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
  // A gradient as it was.
  struct Noted {
    torch::Tensor parameter;
    // Weak: a second owner of a gradient would have the next one copied.
    WeakTensor gradient;
    int64_t version;
    bool is_unchanged() const;
  };
  std::vector<Noted> note_all();

  std::shared_ptr<State> state_;
  torch::optim::Optimizer* optimizer_;
  std::shared_ptr<Synchroniser> synchroniser_;
  std::vector<Noted> before_;
  std::vector<Noted> kept_;
  int64_t kept_in_ = -1; // the pass
};

/// Runs `action`, which reads and changes the parameters' gradients alike on all processes, when
/// they are synchronised.
void with_settled_gradients(State& state, const std::vector<torch::Tensor>& parameters,
                            const std::function<void()>& action);

/// Multiplies the gradients that the window's micro-batches before have left.
void scale_gradients(State& state, double factor);

} // namespace accel::detail
