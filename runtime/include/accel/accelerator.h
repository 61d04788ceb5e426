// The handle that a training program uses.
#pragma once

#include <accel/accumulate.h>
#include <accel/loaders.h>
#include <accel/prepared_optimizer.h>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>
#include <torch/optim/schedulers/lr_scheduler.h>
#include <torch/types.h>

#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace torch::jit {
struct Module;
} // namespace torch::jit

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

template <class S>
inline constexpr bool is_scheduler = std::is_base_of_v<torch::optim::LRScheduler, S>;

template <class M, class = void> struct IsModule : std::false_type {};
template <class M>
struct IsModule<M, std::void_t<decltype(module_of(std::declval<M&>()))>> : std::true_type {};

template <class O>
inline constexpr bool is_optimizer_rvalue =
    !std::is_reference_v<O> && !std::is_const_v<O> &&
    std::is_base_of_v<torch::optim::Optimizer, O> && !std::is_abstract_v<O> &&
    !std::is_base_of_v<Prepared, O>;

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
  /// Preparing it again, when its parameters are the same, only takes process 0's values again.
  template <class M, class = std::enable_if_t<detail::IsModule<M>::value>>
  void prepare(M& model) const {
    prepare_module(detail::module_of(model));
  }
  /// The same for a TorchScript module, on which the module's copies share their parameters.
  void prepare(torch::jit::Module& module) const;

  /// Returns the optimizer in a class derived from its own, which synchronises the gradients before
  /// it steps. A collective.
  template <class O, class = std::enable_if_t<detail::is_optimizer_rvalue<O>>>
  PreparedOptimizer<O> prepare(O&& optimizer) const {
    return PreparedOptimizer<O>(std::forward<O>(optimizer), state_);
  }

  /// An optimizer that is prepared already is returned as it is.
  template <class O> PreparedOptimizer<O> prepare(PreparedOptimizer<O>&& optimizer) const {
    return std::move(optimizer);
  }

  /// The same for an optimizer on the heap. Where only its base class is known, it must be one of
  /// libtorch's own; another one throws. A collective.
  template <class O, class = std::enable_if_t<std::is_base_of_v<torch::optim::Optimizer, O>>>
  std::unique_ptr<O> prepare(std::unique_ptr<O> optimizer) const {
    return needs_preparation(*optimizer) ? prepare_on_heap<std::unique_ptr<O>>(*optimizer)
                                         : std::move(optimizer);
  }

  /// The same for a shared one, which must not have another owner: that one would be left with an
  /// optimizer without parameters. A collective.
  template <class O, class = std::enable_if_t<std::is_base_of_v<torch::optim::Optimizer, O>>>
  std::shared_ptr<O> prepare(std::shared_ptr<O> optimizer) const {
    if (!needs_preparation(*optimizer)) {
      return optimizer;
    }
    if (optimizer.use_count() > 1) {
      detail::refuse_shared_optimizer(optimizer.use_count() - 1);
    }
    return prepare_on_heap<std::shared_ptr<O>>(*optimizer);
  }

  /// A data loader of this class is prepared already: it is returned as it is. One of torch's can't
  /// be: make it by make_data_loader().
  template <class Dataset, class Sampler>
  std::unique_ptr<DataLoader<Dataset, Sampler>>
  prepare(std::unique_ptr<DataLoader<Dataset, Sampler>> loader) const {
    return loader;
  }

  /// A scheduler steps as often as its optimizer and needs nothing.
  template <class S, class = std::enable_if_t<detail::is_scheduler<S>>> S& prepare(S& s) const {
    return s;
  }

  /// Several at once, in this order; what is prepared in place comes back as a reference:
  ///
  ///     auto [net, optimizer] = accelerator.prepare(model, torch::optim::SGD(…));
  template <class First, class Second, class... More>
  auto prepare(First&& first, Second&& second, More&&... more) const {
    return std::tuple<decltype(prepare_one(std::forward<First>(first))),
                      decltype(prepare_one(std::forward<Second>(second))),
                      decltype(prepare_one(std::forward<More>(more)))...>{
        prepare_one(std::forward<First>(first)), prepare_one(std::forward<Second>(second)),
        prepare_one(std::forward<More>(more))...};
  }

  /// loss.backward() for a loss that is a mean over this process's rows. When it returns, the
  /// gradients of all prepared optimizers are those of the mean over all processes' rows. A
  /// collective.
  void backward(const torch::Tensor& loss) const;
  /// The same for a loss of which the reduction is named: accel::Sum for a sum over the rows.
  void backward(const torch::Tensor& loss, Reduction reduction) const;
  /// The same for a loss that is a sum over this process's rows, of which `count` (tokens, weights,
  /// unmasked rows) are to be its divisor: the gradient is that of the sum of all processes' losses
  /// divided by the sum of their counts. For weighted and masked means, whose divisor is not the
  /// number of rows. Throws on all processes where the counts add up to zero or less.
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  void backward(const torch::Tensor& loss_sum, T count) const {
    backward_with_count(loss_sum, static_cast<double>(count));
  }
  /// The same with the arguments of torch::Tensor::backward.
  void backward(const torch::Tensor& loss, const torch::Tensor& gradient,
                torch::optional<bool> keep_graph = torch::nullopt, bool create_graph = false,
                Reduction reduction = Mean) const;
  /// The same for several losses at once, as torch::autograd::backward takes them; all of them
  /// means, or all sums.
  void backward(const std::vector<torch::Tensor>& losses, Reduction reduction = Mean) const;

  /// torch::nn::utils::clip_grad_norm_, after the gradients are synchronised: the same norm on all
  /// processes. In an accumulation window that is not complete it does nothing and returns zero.
  double clip_grad_norm_(const std::vector<torch::Tensor>& parameters, double max_norm,
                         double norm_type = 2.0, bool error_if_nonfinite = false) const;
  double clip_grad_norm_(const torch::Tensor& parameter, double max_norm, double norm_type = 2.0,
                         bool error_if_nonfinite = false) const;

  /// torch::nn::utils::clip_grad_value_, after the gradients are synchronised.
  void clip_grad_value_(const std::vector<torch::Tensor>& parameters, double clip_value) const;
  void clip_grad_value_(const torch::Tensor& parameter, double clip_value) const;

  /// Begins a micro-batch of an accumulation window, which lasts until the end of the scope:
  ///
  ///     for (auto& batch : *loader) {
  ///       auto micro_batch = accelerator.accumulate();
  ///       accelerator.backward(loss_of(batch));
  ///       optimizer.step();
  ///       optimizer.zero_grad();
  ///     }
  ///
  /// A window has gradient_accumulation_steps micro-batches (see AcceleratorOptions), fewer at the
  /// end of the loader. Gradients are exchanged, clipping and step() of prepared optimizers act in
  /// its last one only; their zero_grad() leaves what the window has added up, wherever it stands.
  /// The result is that of one batch of all the window's rows, in a short window too. Where an
  /// earlier pass over a loader was left within a window, that window's gradients are dropped.
  /// Models may be named as Accelerate has it; it makes no difference.
  template <class... Models> MicroBatch accumulate(const Models&...) const {
    return MicroBatch(state_);
  }
  /// Whether this micro-batch is the last one of its window; true outside of accumulate().
  bool sync_gradients() const;
  /// The number of micro-batches in a full window.
  int64_t gradient_accumulation_steps() const;

  /// A scope in which backward() leaves the gradients on this process, to be exchanged together by
  /// the next backward() outside of it, or by whatever reads them first (step, clipping). They add
  /// up as without it.
  template <class... Models> NoSync no_sync(const Models&...) const { return NoSync(state_); }
  /// Lets the next backward() in a no_sync() scope exchange gradients after all.
  template <class... Models> void trigger_sync_in_backward(const Models&...) const {
    sync_next_backward();
  }

private:
  void backward_with_count(const torch::Tensor& loss_sum, double count) const;
  void sync_next_backward() const;

  template <class T> decltype(auto) prepare_one(T&& thing) const {
    if constexpr (std::is_void_v<decltype(this->prepare(std::forward<T>(thing)))>) {
      static_assert(
          std::is_lvalue_reference_v<T>,
          "accel: a model is prepared in place; give prepare() the variable that holds it");
      this->prepare(thing);
      return static_cast<T&>(thing);
    } else {
      return this->prepare(std::forward<T>(thing));
    }
  }

  bool needs_preparation(const torch::optim::Optimizer& optimizer) const;

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
