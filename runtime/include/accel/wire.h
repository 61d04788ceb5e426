// Batches as bytes, on their way from one process to the others.
#pragma once

#include <accel/visit.h>

#include <torch/types.h>

#include <c10/util/Type.h>

#include <cstring>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace accel::detail {

template <class T> [[noreturn]] void refuse_to_send() {
  TORCH_CHECK(false, "accel: a value of type ", c10::demangle(typeid(T).name()),
              " can't be sent to other processes. Give its class the hook visit_fields "
              "(accel/visit.h), or let every process read for itself: dispatch_batches(false).");
}

/// Writes values as bytes: containers with their sizes, tensors (dense ones of any dtype, from any
/// device) with shape and data. Gradients and the devices of tensors are not sent.
class WireWriter {
public:
  template <class T> void write(T& value) {
    constexpr Kind kind = kind_of<T>;
    if constexpr (kind == Kind::Tensor) {
      write_tensor(value);
    } else if constexpr (kind == Kind::Fields) {
      for_each_field(value, [this](auto& part) { write(part); });
    } else if constexpr (kind == Kind::PerRow) {
      write(value.entries);
    } else if constexpr (kind == Kind::Sequence) {
      write_number(value.size());
      for (auto&& entry : value) {
        write_entry<typename T::value_type>(entry);
      }
    } else if constexpr (kind == Kind::Mapping) {
      write_number(value.size());
      for (auto& entry : value) {
        write(entry.first);
        write(entry.second);
      }
    } else if constexpr (kind == Kind::Optional) {
      write_number(value.has_value());
      if (value) {
        write(*value);
      }
    } else if constexpr (kind == Kind::Text) {
      write_number(value.size());
      bytes_.append(value);
    } else if constexpr (kind == Kind::Number) {
      write_number(value);
    } else {
      refuse_to_send<T>();
    }
  }
  template <class T> void write_number(const T& number) {
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof(number));
  }
  std::string take() { return std::move(bytes_); }

private:
  // An entry of a vector<bool> is no bool.
  template <class T, class Entry> void write_entry(Entry& entry) {
    if constexpr (std::is_same_v<T, bool>) {
      write_number(static_cast<bool>(entry));
    } else {
      write(entry);
    }
  }
  void write_tensor(const torch::Tensor& tensor);

  std::string bytes_;
};

/// Reads what a WireWriter of the same program wrote, into values of the same types.
class WireReader {
public:
  explicit WireReader(const std::string& bytes) : bytes_(bytes) {}

  template <class T> void read(T& value) {
    constexpr Kind kind = kind_of<T>;
    if constexpr (kind == Kind::Tensor) {
      value = read_tensor();
    } else if constexpr (kind == Kind::Fields) {
      for_each_field(value, [this](auto& part) { read(part); });
    } else if constexpr (kind == Kind::PerRow) {
      read(value.entries);
    } else if constexpr (kind == Kind::Sequence) {
      value.clear();
      for (auto left = read_number<size_t>(); left > 0; --left) {
        value.push_back(read_new<typename T::value_type>());
      }
    } else if constexpr (kind == Kind::Mapping) {
      value.clear();
      for (auto left = read_number<size_t>(); left > 0; --left) {
        auto key = read_new<typename T::key_type>();
        value.emplace(std::move(key), read_new<typename T::mapped_type>());
      }
    } else if constexpr (kind == Kind::Optional) {
      value.reset();
      if (read_number<bool>()) {
        value = read_new<typename T::value_type>();
      }
    } else if constexpr (kind == Kind::Text) {
      const auto size = read_number<size_t>();
      value.assign(next(size), size);
    } else if constexpr (kind == Kind::Number) {
      value = read_number<T>();
    } else {
      refuse_to_send<T>();
    }
  }
  template <class T> T read_new() {
    if constexpr (std::is_default_constructible_v<T>) {
      T value{};
      read(value);
      return value;
    } else {
      refuse_to_send<T>();
    }
  }
  template <class T> T read_number() {
    T number;
    std::memcpy(&number, next(sizeof(T)), sizeof(T));
    return number;
  }

private:
  const char* next(size_t count) {
    TORCH_CHECK(count <= bytes_.size() - at_,
                "accel: what process 0 sent is not what this process expects: they run different "
                "programs");
    const char* begin = bytes_.data() + at_;
    at_ += count;
    return begin;
  }
  torch::Tensor read_tensor();

  const std::string& bytes_;
  size_t at_ = 0;
};

} // namespace accel::detail
