// Tensors inside other values: what counts as nesting, and going through it.
#pragma once

#include <accel/visit.h>

#include <torch/data/example.h>
#include <torch/types.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace accel {
namespace detail {

/// What a type is for collectives and for sending, which take more containers than batches are made
/// of (see Kind).
enum class Form { Tensor, Example, Tuple, Optional, Map, Range, Members, Other };

template <class T> struct IsExample : std::false_type {};
template <class D, class T> struct IsExample<torch::data::Example<D, T>> : std::true_type {};

template <class T> struct IsTuple : std::false_type {};
template <class A, class B> struct IsTuple<std::pair<A, B>> : std::true_type {};
template <class... T> struct IsTuple<std::tuple<T...>> : std::true_type {};

template <class T, class = void> struct IsMap : std::false_type {};
template <class T>
struct IsMap<T, std::void_t<typename T::key_type, typename T::mapped_type>> : std::true_type {};

template <class T, class = void> struct IsRange : std::false_type {};
template <class T>
struct IsRange<T,
               std::void_t<typename T::value_type, decltype(std::declval<T&>().begin()),
                           decltype(std::declval<T&>().end()), decltype(std::declval<T&>().size())>>
    : std::true_type {};

template <class T> constexpr Form form_of() {
  if constexpr (std::is_same_v<T, torch::Tensor>) {
    return Form::Tensor;
  } else if constexpr (HasHook<T>::value) {
    return Form::Members;
  } else if constexpr (IsExample<T>::value) {
    return Form::Example;
  } else if constexpr (IsTuple<T>::value) {
    return Form::Tuple;
  } else if constexpr (IsOptional<T>::value) {
    return Form::Optional;
  } else if constexpr (IsMap<T>::value) {
    return Form::Map;
  } else if constexpr (IsRange<T>::value) {
    return Form::Range;
  } else {
    return Form::Other;
  }
}

/// The entries of a map in the order of the keys, which is the same on every process.
template <class Map> auto in_order(Map& map) {
  std::vector<std::remove_reference_t<decltype(*map.begin())>*> entries;
  for (auto& entry : map) {
    entries.push_back(&entry);
  }
  std::sort(entries.begin(), entries.end(),
            [](const auto* a, const auto* b) { return a->first < b->first; });
  return entries;
}

template <class T> T& unmarked(T& part) {
  return part;
}
template <class Sequence> Sequence& unmarked(PerRow<Sequence>& part) {
  return part.entries;
}

/// Calls `visitor(part)` for each direct part of a nested value, `visitor.key(key)` for the keys of
/// a map, and `visitor.shape(number)` for what the value's type leaves open: sizes, and whether an
/// optional is there.
template <class T, class Visitor> void visit_parts(T& value, Visitor& visitor) {
  constexpr Form form = form_of<std::remove_const_t<T>>();
  if constexpr (form == Form::Members) {
    for_each_field(value, [&visitor](auto& part) { visitor(unmarked(part)); });
  } else if constexpr (form == Form::Example) {
    visitor(value.data);
    if constexpr (!std::is_void_v<typename T::TargetType>) {
      visitor(value.target);
    }
  } else if constexpr (form == Form::Tuple) {
    std::apply([&visitor](auto&... part) { (visitor(part), ...); }, value);
  } else if constexpr (form == Form::Optional) {
    visitor.shape(value.has_value() ? 1 : 0);
    if (value.has_value()) {
      visitor(*value);
    }
  } else if constexpr (form == Form::Map) {
    visitor.shape(value.size());
    for (auto* entry : in_order(value)) {
      visitor.key(entry->first);
      visitor(entry->second);
    }
  } else if constexpr (form == Form::Range) {
    visitor.shape(value.size());
    for (auto& part : value) {
      visitor(part);
    }
  }
}

/// The tensors inside a value, in its order, and a number that is the same for values of the same
/// structure (sizes, keys, what is there).
class TensorList {
public:
  template <class T> void operator()(T& value) {
    constexpr Form form = form_of<std::remove_const_t<T>>();
    if constexpr (form == Form::Tensor) {
      tensors.push_back(&value);
      shape(~uint64_t{0});
    } else {
      static_assert(form != Form::Other, "accel: this takes tensors and containers of tensors; "
                                         "other values go by gather_object and broadcast_object");
      visit_parts(value, *this);
    }
  }
  void shape(uint64_t number) { structure = (structure ^ number) * 0x100000001b3ULL; }
  template <class K> void key(const K& key) {
    if constexpr (std::is_default_constructible_v<std::hash<K>>) {
      shape(std::hash<K>()(key));
    }
  }

  std::vector<torch::Tensor> values() const {
    std::vector<torch::Tensor> copies;
    copies.reserve(tensors.size());
    for (const auto* tensor : tensors) {
      copies.push_back(*tensor);
    }
    return copies;
  }

  std::vector<torch::Tensor*> tensors;
  uint64_t structure = 0xcbf29ce484222325ULL;
};

/// Whether a type has tensors at its leaves and nothing else. For a class with the hook
/// (visit_fields) it is taken for granted.
template <class T> constexpr bool only_tensors();

template <class Tuple, size_t... I>
constexpr bool tuple_of_tensors(std::index_sequence<I...> /*indices*/) {
  return (only_tensors<std::tuple_element_t<I, Tuple>>() && ...);
}

template <class T> constexpr bool only_tensors() {
  constexpr Form form = form_of<T>();
  if constexpr (form == Form::Example) {
    if constexpr (std::is_void_v<typename T::TargetType>) {
      return only_tensors<typename T::DataType>();
    } else {
      return only_tensors<typename T::DataType>() && only_tensors<typename T::TargetType>();
    }
  } else if constexpr (form == Form::Tuple) {
    return tuple_of_tensors<T>(std::make_index_sequence<std::tuple_size_v<T>>());
  } else if constexpr (form == Form::Map) {
    return only_tensors<typename T::mapped_type>();
  } else if constexpr (form == Form::Optional || form == Form::Range) {
    return only_tensors<typename T::value_type>();
  } else {
    return form == Form::Tensor || form == Form::Members;
  }
}

} // namespace detail

/// `value` with `f(tensor)` in the place of every tensor inside it. A value may be a tensor, an
/// Example, a vector, array, deque, list, map, pair, tuple, optional, any nesting of those, or a
/// class with the hook of accel/visit.h.
template <class T, class F> T map_tensors(T value, F&& f) {
  detail::TensorList list;
  list(value);
  for (torch::Tensor* tensor : list.tensors) {
    *tensor = f(*tensor);
  }
  return value;
}

} // namespace accel
