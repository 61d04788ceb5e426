//===- Batches.h - Where the rows of a loss come from ---------------------===//
#ifndef ACCEL_REWRITE_FACTS_BATCHES_H
#define ACCEL_REWRITE_FACTS_BATCHES_H

#include "facts/Span.h"

#include <vector>

namespace accel_rewrite {

/// A tensor, and the dimension along which its rows lie.
struct RowsAt {
  Span Where;
  unsigned Dimension = 0;
};

/// Something that brings rows into a loss, and that no model computes.
struct BatchSource {
  enum class Kind {
    Made,     ///< an expression in the step that picks or makes rows: `x.slice(0, i, j)`
    Variable, ///< a variable, parameter or field from outside of the step
    Unknown   ///< rows or not: can't be told
  } What = Kind::Unknown;
  /// Made, Unknown: the expression. Variable: its first mention.
  Span Where;
  /// Variable: its declaration, and all its mentions in the step as a value.
  DeclKey Variable;
  std::string Name;
  std::vector<Span> Mentions;
  /// Variable: where the step changes it.
  Span ChangedAt;
  /// A variable from outside of the step: where that puts what a model computed into it, for the
  /// next one.
  Span HandedOnAt;
  /// Variable that the step changes, and that only a recurrent model reads: what it starts with.
  std::vector<RowsAt> Starts;
  /// Made: its number of rows is the size of this variable (`x.size(0)`).
  DeclKey SizedBy;
  /// Made: it only creates rows (`torch::randn`), and picks none.
  bool Created = false;
  /// Made: the values of the variables that it is made from, in the step. Variable: what the step
  /// fills it with.
  std::vector<Span> Operands;
  /// Variable: a parameter, a field or a part of something, not a local variable.
  bool Handed = false;
  /// Unknown: the diagnostic's code, and why.
  std::string Code;
  std::string Reason;
};

/// What feeds the loss of one backward, in one scope around it.
struct BatchSources {
  FunctionKey Function;
  Span Backward;
  /// A loop, or the body of the function.
  Span Scope;
  std::vector<BatchSource> Sources;
};

/// A tensor's shape that names a number of rows.
struct FixedRows {
  FunctionKey Function;
  Span Where;
};

} // namespace accel_rewrite

#endif
