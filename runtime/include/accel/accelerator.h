// The handle that a training program uses.
#pragma once

#include <accel/loaders.h>
#include <accel/prepared_optimizer.h>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>
#include <torch/types.h>

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace accel {
namespace detail {

inline torch::nn::Module& module_of(torch::nn::Module& module) {
  return module;
}
template <class Contained>
torch::nn::Module& module_of(const torch::nn::ModuleHolder<Contained>& holder) {
  return *holder.ptr();
}
template <class M, class = std::enable_if_t<std::is_base_of_v<torch::nn::Module, M>>>
torch::nn::Module& module_of(const std::shared_ptr<M>& module) {
  return *module;
}
template <class M, class = std::enable_if_t<std::is_base_of_v<torch::nn::Module, M>>>
torch::nn::Module& module_of(const std::unique_ptr<M>& module) {
  return *module;
}

template <class M, class = void> struct IsModule : std::false_type {};
template <class M>
struct IsModule<M, std::void_t<decltype(module_of(std::declval<M&>()))>> : std::true_type {};

template <class O>
inline constexpr bool is_optimizer_rvalue =
    !std::is_reference_v<O> && !std::is_const_v<O> &&
    std::is_base_of_v<torch::optim::Optimizer, O> && !std::is_abstract_v<O>;

/// Builds the prepared form of an optimizer known only by its base class, from its dynamic type.
std::unique_ptr<torch::optim::Optimizer> prepare_dynamic(const std::shared_ptr<State>& state,
                                                         torch::optim::Optimizer& optimizer);
[[noreturn]] void refuse_shared_optimizer(long owners);

} // namespace detail

/// A handle on the state that all of a process's Accelerators share. The first one reads the
/// environment (the variables of `accel launch`, torchrun, mpirun and srun), picks the device and
/// joins the group of processes; any other one, in another function or file, is the same. Cheap to
/// copy and to pass by value.
///
/// Where no launcher says that there are several processes there is one: no group, no bucket, no
/// hook, and the numbers of the program without accel, bit for bit.
///
/// A member called a collective must be called by every process in the same order; it throws
/// c10::Error where another process is gone, is at a different point of the program, or takes
/// longer than the timeout. The handle is to be used by the thread that runs the training loop.
class Accelerator : public Loaders {
public:
  using Loaders::Loaders;

  /// Moves a model to the device, verifies that it has the same parameters and buffers on every
  /// process and makes their values those of process 0. In place: a Module, a module holder, or a
  /// pointer to a Module. A collective.
  template <class M, class = std::enable_if_t<detail::IsModule<M>::value>>
  void prepare(M& model) const {
    prepare_module(detail::module_of(model));
  }

  /// Returns the optimizer in a class derived from its own, which synchronises the gradients before
  /// it steps. A collective.
  template <class O, class = std::enable_if_t<detail::is_optimizer_rvalue<O>>>
  PreparedOptimizer<O> prepare(O&& optimizer) const {
    return PreparedOptimizer<O>(std::forward<O>(optimizer), state_);
  }

  /// The same for an optimizer on the heap. Where only its base class is known, it must be one of
  /// libtorch's own; another one throws. A collective.
  template <class O, class = std::enable_if_t<std::is_base_of_v<torch::optim::Optimizer, O>>>
  std::unique_ptr<O> prepare(std::unique_ptr<O> optimizer) const {
    if (num_processes() == 1) {
      return optimizer;
    }
    return prepare_on_heap<std::unique_ptr<O>>(*optimizer);
  }

  /// The same for a shared one, which must not have another owner: that one would be left with an
  /// optimizer without parameters. A collective.
  template <class O, class = std::enable_if_t<std::is_base_of_v<torch::optim::Optimizer, O>>>
  std::shared_ptr<O> prepare(std::shared_ptr<O> optimizer) const {
    if (num_processes() == 1) {
      return optimizer;
    }
    if (optimizer.use_count() > 1) {
      detail::refuse_shared_optimizer(optimizer.use_count() - 1);
    }
    return prepare_on_heap<std::shared_ptr<O>>(*optimizer);
  }

  /// loss.backward() for a loss that is a mean over this process's rows. When it returns, the
  /// gradients of all prepared optimizers are those of the mean over all processes' rows. A
  /// collective.
  void backward(const torch::Tensor& loss) const;
  /// The same for a loss of which the reduction is named: accel::Sum for a sum over the rows.
  void backward(const torch::Tensor& loss, Reduction reduction) const;
  /// The same with the arguments of torch::Tensor::backward.
  void backward(const torch::Tensor& loss, const torch::Tensor& gradient,
                torch::optional<bool> keep_graph = torch::nullopt, bool create_graph = false) const;

  /// torch::nn::utils::clip_grad_norm_, after the gradients are synchronised.
  double clip_grad_norm_(const std::vector<torch::Tensor>& parameters, double max_norm,
                         double norm_type = 2.0, bool error_if_nonfinite = false) const;
  double clip_grad_norm_(const torch::Tensor& parameter, double max_norm, double norm_type = 2.0,
                         bool error_if_nonfinite = false) const;

private:
  template <class Pointer>
  Pointer prepare_on_heap(typename Pointer::element_type& optimizer) const {
    using O = typename Pointer::element_type;
    if constexpr (std::is_abstract_v<O>) {
      return Pointer(detail::prepare_dynamic(state_, optimizer));
    } else {
      return Pointer(new PreparedOptimizer<O>(std::move(optimizer), state_));
    }
  }

  void prepare_module(torch::nn::Module& module) const;
};

} // namespace accel
