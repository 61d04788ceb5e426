// Moving whatever a data loader yields to a device.
#pragma once

#include <torch/data/example.h>
#include <torch/types.h>

#include <array>
#include <deque>
#include <list>
#include <map>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace accel {

/// Moves every tensor inside `value` to `device`, in place, however nested: tensors, Example,
/// vector, array, deque, list, map, unordered_map, pair, tuple, optional, and any class with a
/// `to(device)` that returns the class itself. Anything else is left as it is. A tensor that is on
/// the device already is not touched; one in pinned memory is copied without waiting.
template <class T> void move_to_device(T& value, const torch::Device& device);

namespace detail {

inline void place(torch::Tensor& tensor, const torch::Device& device) {
  if (tensor.defined() && tensor.device() != device) {
    const bool pinned = device.is_cuda() && tensor.is_cpu() && tensor.is_pinned();
    tensor = tensor.to(device, /*non_blocking=*/pinned);
  }
}

template <class T, class = void> struct Placer {
  static void move(T&, const torch::Device&) {}
};

template <class T> using ToDevice = decltype(std::declval<T&>().to(std::declval<torch::Device>()));

template <class T> struct Placer<T, std::enable_if_t<std::is_same_v<ToDevice<T>, T>>> {
  static void move(T& value, const torch::Device& device) { value = value.to(device); }
};

template <> struct Placer<torch::Tensor, void> {
  static void move(torch::Tensor& tensor, const torch::Device& device) { place(tensor, device); }
};

template <class Data, class Target> struct Placer<torch::data::Example<Data, Target>, void> {
  static void move(torch::data::Example<Data, Target>& example, const torch::Device& device) {
    move_to_device(example.data, device);
    if constexpr (!std::is_void_v<Target>) {
      move_to_device(example.target, device);
    }
  }
};

template <class Range> struct RangePlacer {
  static void move(Range& range, const torch::Device& device) {
    for (auto& element : range) {
      move_to_device(element, device);
    }
  }
};

template <class Map> struct MapPlacer {
  static void move(Map& map, const torch::Device& device) {
    for (auto& entry : map) {
      move_to_device(entry.second, device);
    }
  }
};

template <class Tuple> struct TuplePlacer {
  static void move(Tuple& tuple, const torch::Device& device) {
    std::apply([&](auto&... element) { (move_to_device(element, device), ...); }, tuple);
  }
};

template <> struct Placer<std::vector<bool>, void> {
  static void move(std::vector<bool>&, const torch::Device&) {}
};
template <class T, class A>
struct Placer<std::vector<T, A>, void> : RangePlacer<std::vector<T, A>> {};
template <class T, class A>
struct Placer<std::deque<T, A>, void> : RangePlacer<std::deque<T, A>> {};
template <class T, class A> struct Placer<std::list<T, A>, void> : RangePlacer<std::list<T, A>> {};
template <class T, size_t N>
struct Placer<std::array<T, N>, void> : RangePlacer<std::array<T, N>> {};
template <class K, class V, class C, class A>
struct Placer<std::map<K, V, C, A>, void> : MapPlacer<std::map<K, V, C, A>> {};
template <class K, class V, class H, class E, class A>
struct Placer<std::unordered_map<K, V, H, E, A>, void>
    : MapPlacer<std::unordered_map<K, V, H, E, A>> {};
template <class A, class B> struct Placer<std::pair<A, B>, void> : TuplePlacer<std::pair<A, B>> {};
template <class... T> struct Placer<std::tuple<T...>, void> : TuplePlacer<std::tuple<T...>> {};
template <class T> struct Placer<torch::optional<T>, void> {
  static void move(torch::optional<T>& value, const torch::Device& device) {
    if (value) {
      move_to_device(*value, device);
    }
  }
};

} // namespace detail

template <class T> void move_to_device(T& value, const torch::Device& device) {
  if constexpr (!std::is_const_v<T>) {
    detail::Placer<T>::move(value, device);
  }
}

} // namespace accel
