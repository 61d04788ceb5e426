// Moving whatever a data loader yields to a device.
#pragma once

#include <accel/visit.h>

#include <torch/types.h>

#include <type_traits>
#include <utility>

namespace accel {

/// Moves every tensor inside `value` to `device`, in place, however nested: tensors, Example,
/// vector, array, deque, list, map, unordered_map, pair, tuple, optional, any class with the hook
/// visit_fields (see PerRow) and any with a `to(device)` that returns the class itself. Anything
/// else is left as it is. A tensor that is on the device already is not touched. One in pinned
/// memory is copied without waiting; with `non_blocking`, every one is.
template <class T>
void move_to_device(T& value, const torch::Device& device, bool non_blocking = false);

namespace detail {

inline void place(torch::Tensor& tensor, const torch::Device& device, bool non_blocking) {
  if (tensor.defined() && tensor.device() != device) {
    const bool pinned = device.is_cuda() && tensor.is_cpu() && tensor.is_pinned();
    tensor = tensor.to(device, non_blocking || pinned);
  }
}

template <class T>
using ToDevice = decltype(std::declval<T&>().to(std::declval<const torch::Device&>()));

template <class T, class = void> struct HasTo : std::false_type {};
template <class T> struct HasTo<T, std::void_t<ToDevice<T>>> : std::is_same<ToDevice<T>, T> {};

} // namespace detail

template <class T> void move_to_device(T& value, const torch::Device& device, bool non_blocking) {
  using detail::Kind;
  constexpr Kind kind = detail::kind_of<T>;
  const auto move = [&](auto& part) { move_to_device(part, device, non_blocking); };
  if constexpr (std::is_const_v<T>) {
    return;
  } else if constexpr (kind == Kind::Tensor) {
    detail::place(value, device, non_blocking);
  } else if constexpr (kind == Kind::Fields) {
    detail::for_each_field(value, move);
  } else if constexpr (kind == Kind::PerRow) {
    move(value.entries);
  } else if constexpr (kind == Kind::Sequence) {
    if constexpr (!std::is_arithmetic_v<typename T::value_type>) {
      for (auto& entry : value) {
        move(entry);
      }
    }
  } else if constexpr (kind == Kind::Mapping) {
    for (auto& entry : value) {
      move(entry.second);
    }
  } else if constexpr (kind == Kind::Optional) {
    if (value) {
      move(*value);
    }
  } else if constexpr (detail::HasTo<T>::value) {
    value = value.to(device);
  }
}

} // namespace accel
