// A process's part of a list.
#pragma once

#include <accel/nested.h>

#include <torch/types.h>

#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

namespace accel::detail {

/// The elements [begin, end) of a list, and how often one more is repeated after them.
struct Part {
  int64_t begin = 0;
  int64_t end = 0;
  int64_t padding = 0;
  int64_t repeated = 0;
};

/// Contiguous parts, the first `length % size` of them one longer; with `padding` all as long as
/// the first, the last element repeated.
Part part_of(int64_t length, int rank, int size, bool padding);

torch::Tensor take_part(const torch::Tensor& tensor, const Part& part);

template <class List> List take_part(const List& list, const Part& part) {
  List mine;
  const auto at = [&list](int64_t index) { return std::next(list.begin(), index); };
  mine.insert(mine.end(), at(part.begin), at(part.end));
  for (int64_t i = 0; i < part.padding; ++i) {
    mine.insert(mine.end(), *at(part.repeated));
  }
  return mine;
}

[[noreturn]] void refuse_lengths(int64_t first, int64_t other);
int64_t length_of(const torch::Tensor& tensor);
template <class List> int64_t length_of(const List& list) {
  return static_cast<int64_t>(list.size());
}

template <class T> T take_split(const T& value, int rank, int size, bool padding) {
  if constexpr (form_of<T>() == Form::Map) {
    T mine = value;
    int64_t length = -1;
    for (auto& entry : mine) {
      const int64_t other = length_of(entry.second);
      length = length < 0 ? other : length;
      if (other != length) {
        refuse_lengths(length, other);
      }
      entry.second = take_part(entry.second, part_of(length, rank, size, padding));
    }
    return mine;
  } else {
    static_assert(form_of<T>() == Form::Tensor || form_of<T>() == Form::Range,
                  "accel: split_between_processes takes a tensor, a list or a map of those");
    return take_part(value, part_of(length_of(value), rank, size, padding));
  }
}

} // namespace accel::detail
