// The handle that a training program uses.
#pragma once

#include <accel/data_loader.h>
#include <accel/options.h>
#include <accel/prepared_optimizer.h>
#include <accel/reduction.h>

#include <torch/data/samplers/random.h>
#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>
#include <torch/serialize.h>
#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
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
torch::Tensor reduce_number(State& state, const torch::Tensor& number, Reduction reduction);

} // namespace detail

/// A handle on the state that all of a process's Accelerators share. The first one reads the
/// environment (RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR, MASTER_PORT and so on, as torchrun and
/// `accel launch` set them), picks the device and joins the group of processes; any other one, in
/// another function or file, is the same. Cheap to copy and to pass by value.
///
/// Without WORLD_SIZE, or with WORLD_SIZE=1, there is one process: no group, no bucket, no hook,
/// and the numbers of the program without accel, bit for bit.
///
/// A member called a collective must be called by every process in the same order; it throws
/// c10::Error where another process is gone, is at a different point of the program, or takes
/// longer than the timeout. The handle is to be used by the thread that runs the training loop.
class Accelerator {
public:
  /// Joins the group, the first time. Throws std::runtime_error for a bad environment or for
  /// options that contradict those of the first Accelerator.
  explicit Accelerator(AcceleratorOptions options = {});

  /// This process's number among all processes, from 0.
  int process_index() const;
  /// This process's number among those of its machine, from 0.
  int local_process_index() const;
  int num_processes() const;
  /// Whether this is process 0, the one that prints and saves.
  bool is_main_process() const;
  /// Whether this is the first process of its machine.
  bool is_local_main_process() const;
  bool is_last_process() const;
  /// Where this process computes: a GPU of its own where there is one, else the CPU.
  torch::Device device() const;
  /// Whether the program's batch is divided over the processes.
  bool split_batches() const;

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

  /// torch::data::make_data_loader for training; see DataLoader.
  template <class Dataset, class Sampler>
  std::unique_ptr<DataLoader<Dataset, Sampler>>
  make_data_loader(Dataset dataset, Sampler sampler, torch::data::DataLoaderOptions options) const {
    return make_loader(std::move(dataset), std::move(sampler), std::move(options),
                       LoaderUse::Training);
  }
  template <class Sampler = torch::data::samplers::RandomSampler, class Dataset,
            class = std::enable_if_t<std::is_constructible_v<Sampler, size_t>>>
  std::unique_ptr<DataLoader<Dataset, Sampler>>
  make_data_loader(Dataset dataset, torch::data::DataLoaderOptions options = {}) const {
    Sampler sampler(size_of(dataset));
    return make_loader(std::move(dataset), std::move(sampler), std::move(options),
                       LoaderUse::Training);
  }

  /// torch::data::make_data_loader for evaluation: every batch goes whole to exactly one process,
  /// so that sums over batches, reduced after the loop, are those of one process. No collective may
  /// be called inside the loop.
  template <class Dataset, class Sampler>
  std::unique_ptr<DataLoader<Dataset, Sampler>>
  make_eval_data_loader(Dataset dataset, Sampler sampler,
                        torch::data::DataLoaderOptions options) const {
    return make_loader(std::move(dataset), std::move(sampler), std::move(options),
                       LoaderUse::Evaluation);
  }
  template <class Sampler = torch::data::samplers::RandomSampler, class Dataset,
            class = std::enable_if_t<std::is_constructible_v<Sampler, size_t>>>
  std::unique_ptr<DataLoader<Dataset, Sampler>>
  make_eval_data_loader(Dataset dataset, torch::data::DataLoaderOptions options = {}) const {
    Sampler sampler(size_of(dataset));
    return make_loader(std::move(dataset), std::move(sampler), std::move(options),
                       LoaderUse::Evaluation);
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

  /// The mean over all processes' rows of a loss that is a mean over this process's rows; detached.
  /// A collective.
  torch::Tensor mean(const torch::Tensor& loss) const;
  /// This process's part of mean(loss): summed over the processes it is mean(loss). Zero for a
  /// repeated share. No collective, so it can be accumulated and the sum reduced once.
  torch::Tensor share(const torch::Tensor& loss) const;

  /// A number that is a sum over this process's rows (hits, a summed loss), or zero where another
  /// process counts the same rows: for a repeated share. So a sum over the processes has each row
  /// once. No collective.
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>> T once(T value) const {
    return repeats_rows() ? T{0} : value;
  }

  /// Reduces a tensor over the processes into a new one, detached. The processes must pass the same
  /// shape and dtype; else all of them throw an error that lists what each passed. A collective.
  torch::Tensor reduce(const torch::Tensor& tensor, Reduction reduction = Sum) const;
  /// The same for a number: integers are reduced as int64, floating ones as double.
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  T reduce(T value, Reduction reduction = Sum) const {
    if (num_processes() == 1) {
      return value;
    }
    if constexpr (std::is_floating_point_v<T>) {
      const auto number = torch::tensor(static_cast<double>(value), torch::kFloat64);
      return static_cast<T>(
          detail::reduce_number(*state_, number, reduction).template item<double>());
    } else {
      const auto number = torch::tensor(static_cast<int64_t>(value), torch::kInt64);
      return static_cast<T>(
          detail::reduce_number(*state_, number, reduction).template item<int64_t>());
    }
  }

  /// The processes' tensors in one, along the first dimension, in the order of their numbers, on
  /// every process; a scalar counts as one row. All but the first dimension and the dtype must be
  /// the same, else all processes throw an error that lists what each passed. A collective.
  torch::Tensor gather(const torch::Tensor& tensor) const;

  /// Returns when all processes have called it. A collective.
  void wait_for_everyone() const;

  /// std::cout on the main process, a stream that drops everything on the others.
  std::ostream& cout() const;
  /// std::printf on the main process; on the others returns 0. The arguments are evaluated
  /// everywhere.
  int printf(const char* format, ...) const __attribute__((format(printf, 2, 3)));
  /// Writes the values, as they are, and a newline to std::cout on the main process.
  template <class... A> void print(const A&... values) const {
    ((cout() << values), ...) << '\n' << std::flush;
  }

  /// torch::save on the main process. The file is written beside `path` and renamed when it is on
  /// disk, so `path` is always a whole file, old or new. Every process returns after that; where it
  /// fails, all of them throw. A collective.
  template <class V> void save(const V& value, const std::string& path) const {
    save_file(path, [&value](const std::string& file) { torch::save(value, file); });
  }

  /// torch::nn::utils::clip_grad_norm_, after the gradients are synchronised.
  double clip_grad_norm_(const std::vector<torch::Tensor>& parameters, double max_norm,
                         double norm_type = 2.0, bool error_if_nonfinite = false) const;
  double clip_grad_norm_(const torch::Tensor& parameter, double max_norm, double norm_type = 2.0,
                         bool error_if_nonfinite = false) const;

private:
  template <class Dataset> static size_t size_of(const Dataset& dataset) {
    const torch::optional<size_t> size = dataset.size();
    TORCH_CHECK(size.has_value(),
                "Expected the dataset to be sized in order to construct the Sampler");
    return *size;
  }

  template <class Dataset, class Sampler>
  std::unique_ptr<DataLoader<Dataset, Sampler>> make_loader(Dataset dataset, Sampler sampler,
                                                            torch::data::DataLoaderOptions options,
                                                            LoaderUse use) const {
    return std::make_unique<DataLoader<Dataset, Sampler>>(
        state_, device(), std::move(dataset), std::move(sampler), std::move(options), use);
  }

  template <class Pointer>
  Pointer prepare_on_heap(typename Pointer::element_type& optimizer) const {
    using O = typename Pointer::element_type;
    if constexpr (std::is_abstract_v<O>) {
      return Pointer(detail::prepare_dynamic(state_, optimizer));
    } else {
      return Pointer(new PreparedOptimizer<O>(std::move(optimizer), state_));
    }
  }

  bool repeats_rows() const;
  void prepare_module(torch::nn::Module& module) const;
  void save_file(const std::string& path,
                 const std::function<void(const std::string&)>& write) const;

  std::shared_ptr<detail::State> state_;
};

} // namespace accel
