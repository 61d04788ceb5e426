// What the processes compute together: sums, means, and their tensors in one.
#pragma once

#include <accel/process_state.h>
#include <accel/reduction.h>

#include <torch/types.h>

#include <cstdint>
#include <type_traits>

namespace accel {
namespace detail {
torch::Tensor reduce_number(State& state, const torch::Tensor& number, Reduction reduction);
} // namespace detail

/// The part of an Accelerator that exchanges values between processes; see Accelerator.
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

private:
  bool repeats_rows() const;
};

} // namespace accel
