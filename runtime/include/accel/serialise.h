// Any value as bytes, for sending it to other processes of the same program.
#pragma once

#include <accel/nested.h>

#include <torch/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace accel {

class ByteWriter;
class ByteReader;

namespace detail {
/// Throws c10::Error.
[[noreturn]] void refuse_to_send(const std::type_info& type);
} // namespace detail

/// How a type becomes bytes and comes back. Known are numbers, enums, strings, tensors, Example,
/// pair, tuple, array, optional, the standard containers (vector, deque, list, map, set, their
/// unordered forms), any nesting of those, and classes with the hook of accel/visit.h. Other types
/// are taught by specialising this template:
///
///     template <> struct accel::Serialiser<Date> {
///       static void write(ByteWriter& out, const Date& date) { out.write(date.days()); }
///       static void read(ByteReader& in, Date& date) { date = Date(in.read<int>()); }
///     };
///
/// A value is read into a default-constructed one. Tensors, dense ones, arrive detached, on the
/// CPU. What can't be sent throws c10::Error when it is to be.
template <class T, class = void> struct Serialiser;

/// Collects the bytes of values.
class ByteWriter {
public:
  template <class T> void write(const T& value) { Serialiser<T>::write(*this, value); }
  void raw(const void* data, size_t bytes) { bytes_.append(static_cast<const char*>(data), bytes); }
  std::string take() { return std::move(bytes_); }

private:
  std::string bytes_;
};

/// Makes values of the bytes, in the order in which they were written. Throws c10::Error where the
/// bytes end early.
class ByteReader {
public:
  /// `bytes` must outlive the reader.
  explicit ByteReader(const std::string& bytes) : bytes_(bytes) {}
  template <class T> void read(T& value) { Serialiser<T>::read(*this, value); }
  template <class T> T read() {
    if constexpr (std::is_default_constructible_v<T>) {
      T value{};
      read(value);
      return value;
    } else {
      detail::refuse_to_send(typeid(T));
    }
  }
  void raw(void* data, size_t bytes);

private:
  const std::string& bytes_;
  size_t at_ = 0;
};

namespace detail {

void write_tensor(ByteWriter& out, const torch::Tensor& tensor);
torch::Tensor read_tensor(ByteReader& in);

template <class T, class = void> struct CanInsert : std::false_type {};
template <class T>
struct CanInsert<T, std::void_t<decltype(std::declval<T&>().insert(
                        std::declval<T&>().end(), std::declval<typename T::value_type>()))>>
    : std::true_type {};

template <class T> struct IsArray : std::false_type {};
template <class T, size_t N> struct IsArray<std::array<T, N>> : std::true_type {};

/// A map's value_type with a key that can be read into.
template <class T> struct Readable {
  using type = T;
};
template <class K, class V> struct Readable<std::pair<const K, V>> {
  using type = std::pair<K, V>;
};

struct PartWriter {
  ByteWriter& out;
  template <class T> void operator()(T& part) { out.write(static_cast<const T&>(part)); }
  void shape(uint64_t) {}
};

struct PartReader {
  ByteReader& in;
  template <class T> void operator()(T& part) { in.read(part); }
  void shape(uint64_t) {}
};

template <class T> void write_range(ByteWriter& out, const T& range) {
  out.write(static_cast<uint64_t>(range.size()));
  for (const typename T::value_type& element : range) {
    out.write(element);
  }
}

template <class T> void read_range(ByteReader& in, T& range) {
  const auto size = in.read<uint64_t>();
  if constexpr (IsArray<T>::value) {
    for (auto& element : range) {
      in.read(element);
    }
  } else {
    range.clear();
    for (uint64_t i = 0; i < size; ++i) {
      range.insert(range.end(), in.read<typename Readable<typename T::value_type>::type>());
    }
  }
}

} // namespace detail

template <> struct Serialiser<std::string> {
  static void write(ByteWriter& out, const std::string& text);
  static void read(ByteReader& in, std::string& text);
};

template <class T, class> struct Serialiser {
  static constexpr detail::Form form = detail::form_of<T>();
  static constexpr bool is_range = form == detail::Form::Range || form == detail::Form::Map;
  // Not: a view of other memory, nor a class that shows nothing, which may hold pointers.
  static constexpr bool sendable =
      is_range ? detail::CanInsert<T>::value || detail::IsArray<T>::value
               : form != detail::Form::Other || std::is_arithmetic_v<T> || std::is_enum_v<T>;

  static void write(ByteWriter& out, const T& value) {
    if constexpr (!sendable) {
      detail::refuse_to_send(typeid(T));
    } else if constexpr (form == detail::Form::Tensor) {
      detail::write_tensor(out, value);
    } else if constexpr (form == detail::Form::Other) {
      out.raw(&value, sizeof(T));
    } else if constexpr (is_range) {
      detail::write_range(out, value);
    } else if constexpr (form == detail::Form::Optional) {
      out.write(value.has_value());
      if (value.has_value()) {
        out.write(*value);
      }
    } else {
      detail::PartWriter writer{out};
      // Only read: visit_fields is written for values that can change.
      detail::visit_parts(const_cast<T&>(value), writer); // NOLINT(*-const-cast)
    }
  }

  static void read(ByteReader& in, T& value) {
    if constexpr (!sendable) {
      detail::refuse_to_send(typeid(T));
    } else if constexpr (form == detail::Form::Tensor) {
      value = detail::read_tensor(in);
    } else if constexpr (form == detail::Form::Other) {
      in.raw(&value, sizeof(T));
    } else if constexpr (is_range) {
      detail::read_range(in, value);
    } else if constexpr (form == detail::Form::Optional) {
      value.reset();
      if (in.read<bool>()) {
        value = in.read<typename T::value_type>();
      }
    } else {
      detail::PartReader reader{in};
      detail::visit_parts(value, reader);
    }
  }
};

} // namespace accel
