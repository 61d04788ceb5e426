//===- Span.h - Places in files, and the names of declarations ------------===//
#ifndef ACCEL_REWRITE_FACTS_SPAN_H
#define ACCEL_REWRITE_FACTS_SPAN_H

#include <string>
#include <tuple>

namespace accel_rewrite {

/// A half-open range of bytes in a file, with the line and column (from 1) where it begins.
struct Span {
  std::string File;
  unsigned Begin = 0;
  unsigned End = 0;
  unsigned Line = 0;
  unsigned Column = 0;

  bool valid() const { return !File.empty(); }
  bool contains(const Span& Other) const {
    return File == Other.File && Begin <= Other.Begin && Other.End <= End;
  }
  bool operator==(const Span& Other) const {
    return std::tie(File, Begin, End) == std::tie(Other.File, Other.Begin, Other.End);
  }
};

/// "file:offset" of a variable's, parameter's or field's name; empty where an expression has no
/// such root.
using DeclKey = std::string;
/// Clang's USR of the function, or of the template that it comes from; behind FileOfKey, its file
/// where that is a program's own, with a `main`.
using FunctionKey = std::string;
constexpr char FileOfKey[] = " in ";

} // namespace accel_rewrite

#endif
