//===- Optimizers.h - What holds an optimizer -----------------------------===//
#ifndef ACCEL_REWRITE_FACTS_OPTIMIZERS_H
#define ACCEL_REWRITE_FACTS_OPTIMIZERS_H

#include "facts/Span.h"

#include <vector>

namespace accel_rewrite {

/// A variable that holds an optimizer of libtorch.
struct OptimizerVariable {
  DeclKey Key;
  std::string Name;
  FunctionKey Function;
  enum class Form {
    Direct,     ///< `T name(args);` or `T name{args};`
    Copy,       ///< `auto name = T(args);`
    Pointer,    ///< `auto name = std::make_unique<T>(args);`
    Unsupported ///< anything else
  } Made = Form::Unsupported;
  Span Statement;
  /// The type as written; for Direct the text from the type to before the `(`.
  Span Type;
  Span Declarator;
  /// For Direct from `(` to `)`, else the initialising expression.
  Span Initializer;
  struct Source {
    DeclKey Root;
    std::string Text;
  };
  /// The objects whose `parameters()` it takes: variable and source text.
  std::vector<Source> Models;
};

} // namespace accel_rewrite

#endif
