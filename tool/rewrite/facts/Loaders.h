//===- Loaders.h - What holds a data loader -------------------------------===//
#ifndef ACCEL_REWRITE_FACTS_LOADERS_H
#define ACCEL_REWRITE_FACTS_LOADERS_H

#include "facts/Span.h"

#include <vector>

namespace accel_rewrite {

/// A variable or field that holds what `torch::data::make_data_loader` returned, or a function that
/// returns it.
struct LoaderVariable {
  DeclKey Key;
  std::string Name;
  FunctionKey Function;
  Span NameSpan;
  /// `torch::data::make_data_loader`, without template arguments.
  Span Callee;
  /// The variable's type is deduced (`auto`), so that a derived loader keeps its own.
  bool TypeDeduced = false;
  bool Stateful = false;
  std::string Sampler;
};

/// A variable that is initialised by what a function of the project returns (`returned(…)`), or
/// bound to another variable.
struct Alias {
  DeclKey Variable;
  Span Where;
  DeclKey Of;
};
/// The key that stands for what a function returns.
inline DeclKey returned(const FunctionKey& Function) {
  return "return " + Function;
}

/// A mention of a loader, a loader parameter or an optimizer that is no loop's range, no plain
/// argument and no call that is understood.
struct OpaqueUse {
  DeclKey Variable;
  Span Where;
};

} // namespace accel_rewrite

#endif
