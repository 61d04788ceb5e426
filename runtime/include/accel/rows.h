// The rows of whatever a data loader yields: counting them, taking some, joining those of two
// batches.
#pragma once

#include <accel/visit.h>

#include <torch/types.h>

#include <c10/util/Type.h>

#include <iterator>
#include <optional>
#include <typeinfo>
#include <utility>
#include <vector>

namespace accel::detail {

/// The number of rows of a value; see PerRow for which parts have them. A tensor has them along its
/// first dimension; one without dimensions, a number or a string belongs to all rows.
class RowCounter {
public:
  template <class T> void visit(T& value) {
    constexpr Kind kind = kind_of<T>;
    const auto visit_part = [this](auto& part) { visit(part); };
    if constexpr (kind == Kind::Tensor) {
      if (value.defined() && value.dim() > 0) {
        see(value.size(0));
      }
    } else if constexpr (kind == Kind::Fields) {
      for_each_field(value, visit_part);
    } else if constexpr (kind == Kind::PerRow) {
      see(static_cast<int64_t>(value.entries.size()));
    } else if constexpr (kind == Kind::Sequence) {
      if constexpr (entries_are_rows<T>) {
        see(static_cast<int64_t>(value.size()));
      } else {
        for (auto& entry : value) {
          visit(entry);
        }
      }
    } else if constexpr (kind == Kind::Mapping) {
      for (auto& entry : value) {
        visit(entry.second);
      }
    } else if constexpr (kind == Kind::Optional) {
      if (value) {
        visit(*value);
      }
    }
  }

  const std::optional<int64_t>& rows() const { return rows_; }

private:
  void see(int64_t rows) {
    TORCH_CHECK(!rows_ || *rows_ == rows, "accel: a batch has parts of ", rows_.value_or(0),
                " and of ", rows,
                " rows, so it can't be divided by rows. Mark a sequence with an entry for each row "
                "by accel::per_row in the class's visit_fields, or divide the batch by hand.");
    rows_ = rows;
  }

  std::optional<int64_t> rows_;
};

/// Throws where a batch has no rows to count.
template <class T> int64_t count_rows(T&& value) {
  RowCounter counter;
  counter.visit(value);
  TORCH_CHECK(counter.rows().has_value(), "accel: the rows of a ",
              c10::demangle(typeid(std::decay_t<T>).name()),
              " can't be counted: no tensor in it has a first dimension. Give its class the hook "
              "visit_fields (accel/visit.h).");
  return *counter.rows();
}

/// Leaves of `value` the rows from `begin` to before `end`.
template <class T> void take_rows(T&& value, int64_t begin, int64_t end) {
  constexpr Kind kind = kind_of<std::remove_reference_t<T>>;
  const auto take = [&](auto& part) { take_rows(part, begin, end); };
  const auto cut = [&](auto& entries) {
    using Entries = std::decay_t<decltype(entries)>;
    const auto first = std::next(entries.begin(), begin);
    entries = Entries(std::make_move_iterator(first),
                      std::make_move_iterator(std::next(first, end - begin)));
  };
  if constexpr (kind == Kind::Tensor) {
    if (value.defined() && value.dim() > 0) {
      value = value.narrow(0, begin, end - begin);
    }
  } else if constexpr (kind == Kind::Fields) {
    for_each_field(value, take);
  } else if constexpr (kind == Kind::PerRow) {
    cut(value.entries);
  } else if constexpr (kind == Kind::Sequence) {
    if constexpr (entries_are_rows<std::decay_t<T>>) {
      cut(value);
    } else {
      for (auto& entry : value) {
        take(entry);
      }
    }
  } else if constexpr (kind == Kind::Mapping) {
    for (auto& entry : value) {
      take(entry.second);
    }
  } else if constexpr (kind == Kind::Optional) {
    if (value) {
      take(*value);
    }
  }
}

template <class T> void join_rows(T& into, T& other);

/// Where the parts of a value of Kind::Fields lie, in the order of a visit.
class PartList {
public:
  template <class T> explicit PartList(T& value) {
    for_each_field(value, [this](auto& part) { parts_.push_back(address(part)); });
  }
  /// The next part, which must be of type T.
  template <class T> T& next(T&) { return *static_cast<T*>(parts_[at_++]); }
  template <class S> PerRow<S> next(PerRow<S>&) { return {*static_cast<S*>(parts_[at_++])}; }

private:
  template <class T> static void* address(T& part) { return &part; }
  template <class S> static void* address(PerRow<S>& part) { return &part.entries; }

  std::vector<void*> parts_;
  size_t at_ = 0;
};

inline void check_joinable(bool alike) {
  TORCH_CHECK(alike, "accel: the rows of two batches were to be joined at the end of an epoch, but "
                     "a part that belongs to a whole batch differs between them. Leave "
                     "even_batches unset for this dataset, so that batches stay whole.");
}

template <class Entries> void append_rows(Entries& into, Entries& other) {
  into.insert(into.end(), std::make_move_iterator(other.begin()),
              std::make_move_iterator(other.end()));
}

inline void join_rows(torch::Tensor& into, torch::Tensor& other) {
  check_joinable(into.defined() == other.defined() &&
                 (!into.defined() || into.dim() == other.dim()));
  if (into.defined() && into.dim() > 0) {
    check_joinable(into.sizes().slice(1) == other.sizes().slice(1));
    into = torch::cat({into, other});
  }
}

template <class Map> void join_mapped(Map& into, Map& other) {
  check_joinable(into.size() == other.size());
  for (auto& entry : into) {
    const auto found = other.find(entry.first);
    check_joinable(found != other.end());
    join_rows(entry.second, found->second);
  }
}

/// Appends the rows of `other` to those of `into`; throws where they can't be.
template <class T> void join_rows(T& into, T& other) {
  constexpr Kind kind = kind_of<T>;
  if constexpr (kind == Kind::Fields) {
    PartList others(other);
    for_each_field(into, [&](auto& part) {
      decltype(auto) from = others.next(part);
      join_rows(part, from);
    });
  } else if constexpr (kind == Kind::PerRow) {
    append_rows(into.entries, other.entries);
  } else if constexpr (kind == Kind::Sequence) {
    if constexpr (entries_are_rows<T>) {
      append_rows(into, other);
    } else {
      check_joinable(into.size() == other.size());
      auto from = other.begin();
      for (auto& entry : into) {
        join_rows(entry, *from++);
      }
    }
  } else if constexpr (kind == Kind::Mapping) {
    join_mapped(into, other);
  } else if constexpr (kind == Kind::Optional) {
    check_joinable(into.has_value() == other.has_value());
    if (into) {
      join_rows(*into, *other);
    }
  } else if constexpr (kind == Kind::Number || kind == Kind::Text) {
    check_joinable(into == other);
  } else {
    check_joinable(false);
  }
}

} // namespace accel::detail
