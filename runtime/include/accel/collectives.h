// What the processes compute together and tell each other.
#pragma once

#include <accel/first.h>
#include <accel/nested.h>
#include <accel/process_state.h>
#include <accel/reduction.h>
#include <accel/serialise.h>
#include <accel/split.h>

#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace accel {
namespace detail {

using Tensors = std::vector<torch::Tensor>;

struct PadOptions {
  int64_t dim = 0;
  torch::Scalar value = 0;
  bool first = false;
};

/// The same for all tensors of a value; `structure` is TensorList's.
Tensors reduce(State& state, const Tensors& tensors, uint64_t structure, Reduction reduction);
Tensors gather(State& state, const Tensors& tensors, uint64_t structure, bool for_metrics);
Tensors broadcast(State& state, const Tensors& tensors, uint64_t structure, int from);
Tensors pad(State& state, const Tensors& tensors, uint64_t structure, const PadOptions& options);

torch::Tensor reduce_number(State& state, const torch::Tensor& number, Reduction reduction);

/// Every process's bytes, in the order of the processes. Where `make` throws on one of them, all
/// throw.
std::vector<std::string> gather_bytes(State& state, const std::type_info& type,
                                      const std::function<std::string()>& make);
/// The bytes of process `from`, the only one that calls `make`.
std::string broadcast_bytes(State& state, const std::type_info& type, int from,
                            const std::function<std::string()>& make);
/// How many of a list's elements, one for each row of the current batch, are to be counted. Throws
/// c10::Error where they aren't as many as the rows.
size_t counted_of(const State& state, size_t elements);

template <class T> std::string bytes_of(const T& value) {
  ByteWriter out;
  out.write(value);
  return out.take();
}
template <class T> T value_of(const std::string& bytes) {
  return ByteReader(bytes).read<T>();
}

} // namespace detail

/// The part of an Accelerator that exchanges values between processes; see Accelerator.
///
/// Where a value holds tensors, it may be a tensor or anything that map_tensors() goes through. The
/// tensors' dtypes, kinds of device and shapes are compared first, and so is the structure around
/// them: where they differ, or one process passes what can't be taken, all of them throw a
/// c10::Error that lists what each passed. Results are new and detached.
class Collectives : public ProcessState {
public:
  using ProcessState::ProcessState;

  /// The mean over all processes' rows of a loss that is a mean over this process's rows; detached.
  /// A collective.
  torch::Tensor mean(const torch::Tensor& loss) const;
  /// This process's part of mean(loss): summed over the processes it is mean(loss). Zero for a
  /// repeated share. No collective, so it can be accumulated and the sum reduced once.
  torch::Tensor share(const torch::Tensor& loss) const;

  /// A number that is a sum over this process's rows (hits, a summed loss), or zero where another
  /// process counts the same rows: for a repeated share. So a sum over the processes has each row
  /// once; with even_batches(true), rows that fill a share up count too. No collective.
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>> T once(T value) const {
    return repeats_rows() ? T{0} : value;
  }

  /// Reduces over the processes: a tensor, a value with tensors inside, or a number (integers as
  /// int64, floating ones as double). Mean is for floating and complex dtypes, Max for all but
  /// complex ones; with Reduction::None each process gets a copy of its own. A collective, but for
  /// Reduction::None.
  template <class T> T reduce(const T& value, Reduction reduction = Sum) const {
    if constexpr (std::is_arithmetic_v<T>) {
      return reduce_number(value, reduction);
    } else {
      return each_tensor(value, [&](const detail::TensorList& list) {
        return detail::reduce(*state_, list.values(), list.structure, reduction);
      });
    }
  }

  /// The processes' tensors in one, along the first dimension, in the order of their numbers, on
  /// every process; a scalar counts as one row. The first dimension may differ. A collective.
  template <class T> T gather(const T& value) const {
    return each_tensor(value, [&](const detail::TensorList& list) {
      return detail::gather(*state_, list.values(), list.structure, false);
    });
  }

  /// The same for what was computed from the current batch of a prepared loader, one row for each
  /// of its rows: rows that another process has too, or that only fill a batch up, are left out, so
  /// that over an epoch each row of the data set comes once. Where a tensor hasn't one row for each
  /// of the batch's, all processes throw. Outside of a loop it is gather(). A vector of other
  /// values, one for each row, is taken too. A collective.
  template <class T> T gather_for_metrics(const T& value) const {
    return each_tensor(value, [&](const detail::TensorList& list) {
      return detail::gather(*state_, list.values(), list.structure, true);
    });
  }
  template <class T, class A, class = std::enable_if_t<!detail::only_tensors<T>()>>
  std::vector<T, A> gather_for_metrics(const std::vector<T, A>& values) const {
    return gather_lists<std::vector<T, A>>([&] {
      const auto end =
          values.begin() + static_cast<std::ptrdiff_t>(detail::counted_of(*state_, values.size()));
      return std::vector<T, A>(values.begin(), end);
    });
  }

  /// The value of process `from_process`, on every process: tensors, which must have the same shape
  /// everywhere, or a number. A collective.
  template <class T> T broadcast(const T& value, int from_process = 0) const {
    if constexpr (std::is_arithmetic_v<T>) {
      return broadcast_object(value, from_process);
    } else {
      return each_tensor(value, [&](const detail::TensorList& list) {
        return detail::broadcast(*state_, list.values(), list.structure, from_process);
      });
    }
  }

  /// Tensors made as long in dimension `dim` as the longest of the processes, by elements of
  /// `pad_index` at the end, or at the beginning with `pad_first`. Tensors that don't have the
  /// dimension stay as they are. Other dimensions aren't looked at. A collective.
  template <class T>
  T pad_across_processes(const T& value, int64_t dim = 0, const torch::Scalar& pad_index = 0,
                         bool pad_first = false) const {
    return each_tensor(value, [&](const detail::TensorList& list) {
      return detail::pad(*state_, list.values(), list.structure, {dim, pad_index, pad_first});
    });
  }

  /// This process's part of a list (a container, or a tensor's rows) that is the same on every
  /// process, or of all the lists in a map, which must be equally long: contiguous, the first
  /// processes take one element more. With `apply_padding` all parts are equally long, the last
  /// element of a shorter one is repeated. No collective.
  template <class T> T split_between_processes(const T& value, bool apply_padding = false) const {
    return detail::take_split(value, process_index(), num_processes(), apply_padding);
  }
  /// Calls `f` with that part and returns what it returns.
  template <class T, class F, class = std::enable_if_t<std::is_invocable_v<F, T>>>
  decltype(auto) split_between_processes(const T& value, F&& f, bool apply_padding = false) const {
    return std::forward<F>(f)(split_between_processes(value, apply_padding));
  }

  /// Every process's object, in the order of the processes; see Serialiser for what can be sent. A
  /// collective.
  template <class T> std::vector<T> gather_object(const T& object) const {
    std::vector<T> all;
    for (const auto& bytes :
         detail::gather_bytes(*state_, typeid(T), [&object] { return detail::bytes_of(object); })) {
      all.push_back(detail::value_of<T>(bytes));
    }
    return all;
  }
  /// The processes' lists joined to one, as in Accelerate. A collective.
  template <class T, class A> std::vector<T, A> gather_object(const std::vector<T, A>& list) const {
    const auto* given = &list;
    return gather_lists<std::vector<T, A>>(
        [given]() -> const std::vector<T, A>& { return *given; });
  }

  /// The object of process `from_process`, on every process. A collective.
  template <class T> T broadcast_object(const T& object, int from_process = 0) const {
    return detail::value_of<T>(detail::broadcast_bytes(
        *state_, typeid(T), from_process, [&object] { return detail::bytes_of(object); }));
  }

  /// Marks this process, for check_trigger(). No collective.
  void set_trigger() const;
  /// Whether any process was marked since the last call, on every process. A collective.
  bool check_trigger() const;

  /// Lets the main process do first what comes while the returned object lives: the others wait for
  /// its end here. For what one process prepares and the others then find (a download, a cache).
  /// A collective.
  FirstScope main_process_first() const { return {state_, is_main_process(), false}; }
  /// The same for the first process of each machine.
  FirstScope local_main_process_first() const { return {state_, is_local_main_process(), true}; }
  /// Calls `f` on the main process first, then on the others, and returns what it returns.
  template <class F> auto main_process_first(F&& f) const {
    const FirstScope scope = main_process_first();
    return std::forward<F>(f)();
  }
  template <class F> auto local_main_process_first(F&& f) const {
    const FirstScope scope = local_main_process_first();
    return std::forward<F>(f)();
  }

private:
  bool repeats_rows() const;

  // `f` gets the tensors of a copy of `value` and returns what they become.
  template <class T, class F> static T each_tensor(const T& value, F&& f) {
    T result = value;
    detail::TensorList list;
    list(result);
    const detail::Tensors changed = f(list);
    for (size_t i = 0; i < changed.size(); ++i) {
      *list.tensors[i] = changed[i];
    }
    return result;
  }

  template <class T> T reduce_number(T value, Reduction reduction) const {
    if (num_processes() == 1 || reduction == Reduction::None) {
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

  template <class List, class F> List gather_lists(F&& make) const {
    List all;
    for (const auto& bytes : detail::gather_bytes(
             *state_, typeid(List), [&make] { return detail::bytes_of<List>(make()); })) {
      const List part = detail::value_of<List>(bytes);
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }
};

} // namespace accel
