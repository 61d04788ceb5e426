// Going through whatever a data loader yields, and the hook for a program's own classes.
#pragma once

#include <torch/data/example.h>
#include <torch/types.h>

#include <array>
#include <deque>
#include <list>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace accel {

/// The hook: a class of the program's own takes part in placement on the device, in division into
/// rows and in sending to other processes when a function like this lies in its namespace:
///
///     struct Batch { torch::Tensor images; std::vector<torch::Tensor> boxes; std::string name; };
///     template <class Visitor> void visit_fields(Batch& batch, Visitor&& visit) {
///       visit(batch.images, accel::per_row(batch.boxes), batch.name);
///     }
///
/// A field is a tensor, a number, an enum, a std::string, any container or class named at
/// move_to_device, or another class with the hook. What is not visited is left as it is: not moved,
/// not sent. A class that is sent must have a default constructor.
///
/// per_row marks a sequence with one entry for each row, as of boxes, which have another number for
/// each image. Without it a sequence of tensors is taken for several tensors that have all the rows
/// each; any other sequence (of strings, of numbers, of examples) has an entry a row anyway.
template <class Sequence> struct PerRow {
  Sequence& entries;
};
template <class Sequence> PerRow<Sequence> per_row(Sequence& entries) {
  return {entries};
}

namespace detail {

/// What a type is to those that go through values.
enum class Kind {
  Tensor,
  Fields,   // a fixed number of parts: Example, tuple, pair, array, a class with the hook
  Sequence, // vector, deque, list
  PerRow,   // a sequence marked by per_row
  Mapping,  // map, unordered_map
  Optional,
  Text,
  Number, // also an enum
  Opaque
};

struct AnyField {
  template <class... T> void operator()(T&&...) const {}
};
template <class T>
using VisitsFields = decltype(visit_fields(std::declval<T&>(), std::declval<AnyField&>()));

template <class T, class = void> struct HasHook : std::false_type {};
template <class T> struct HasHook<T, std::void_t<VisitsFields<T>>> : std::true_type {};

// std::optional, and c10's in older versions of libtorch.
template <class T, class = void> struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<T, std::void_t<typename T::value_type, decltype(std::declval<T&>().reset()),
                                 decltype(std::declval<T&>().has_value())>> : std::true_type {};

template <class T> struct KindOf {
  static constexpr Kind value = HasHook<T>::value                              ? Kind::Fields
                                : IsOptional<T>::value                         ? Kind::Optional
                                : std::is_arithmetic_v<T> || std::is_enum_v<T> ? Kind::Number
                                                                               : Kind::Opaque;
};
template <Kind K> struct IsKind {
  static constexpr Kind value = K;
};
template <> struct KindOf<torch::Tensor> : IsKind<Kind::Tensor> {};
template <> struct KindOf<std::string> : IsKind<Kind::Text> {};
template <class D, class T> struct KindOf<torch::data::Example<D, T>> : IsKind<Kind::Fields> {};
template <class... T> struct KindOf<std::tuple<T...>> : IsKind<Kind::Fields> {};
template <class A, class B> struct KindOf<std::pair<A, B>> : IsKind<Kind::Fields> {};
template <class T, size_t N> struct KindOf<std::array<T, N>> : IsKind<Kind::Fields> {};
template <class T, class A> struct KindOf<std::vector<T, A>> : IsKind<Kind::Sequence> {};
template <class T, class A> struct KindOf<std::deque<T, A>> : IsKind<Kind::Sequence> {};
template <class T, class A> struct KindOf<std::list<T, A>> : IsKind<Kind::Sequence> {};
template <class S> struct KindOf<PerRow<S>> : IsKind<Kind::PerRow> {};
template <class K, class V, class C, class A>
struct KindOf<std::map<K, V, C, A>> : IsKind<Kind::Mapping> {};
template <class K, class V, class H, class E, class A>
struct KindOf<std::unordered_map<K, V, H, E, A>> : IsKind<Kind::Mapping> {};

template <class T> inline constexpr Kind kind_of = KindOf<std::remove_cv_t<T>>::value;

/// A sequence has an entry a row unless its entries are tensors, which have the rows themselves.
template <class Sequence>
inline constexpr bool entries_are_rows =
    !std::is_same_v<typename Sequence::value_type, torch::Tensor>;

/// A batch as a loader yields it, as what has rows: the examples of a list are its rows.
template <class Batch> decltype(auto) rows_in(Batch& batch) {
  if constexpr (kind_of<Batch> == Kind::Sequence) {
    return per_row(batch);
  } else {
    return (batch);
  }
}

/// Calls `f` with each part of a value of Kind::Fields, as an lvalue.
template <class T, class F> void for_each_field(T& value, F&& f) {
  // What per_row makes is a temporary: by its name it is an lvalue.
  const auto each = [&f](auto&&... fields) { (f(fields), ...); };
  if constexpr (HasHook<T>::value) {
    visit_fields(value, each);
  } else {
    std::apply(each, value);
  }
}
template <class Data, class Target, class F>
void for_each_field(torch::data::Example<Data, Target>& example, F&& f) {
  f(example.data);
  if constexpr (!std::is_void_v<Target>) {
    f(example.target);
  }
}

} // namespace detail
} // namespace accel
