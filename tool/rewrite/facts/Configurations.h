//===- Configurations.h - What other configurations make of a file --------===//
#ifndef ACCEL_REWRITE_FACTS_CONFIGURATIONS_H
#define ACCEL_REWRITE_FACTS_CONFIGURATIONS_H

#include "facts/Span.h"

#include <vector>

namespace accel_rewrite {

/// A name in a branch of `#if` that the preprocessor skipped.
struct SkippedName {
  std::string Name;
  Span Where;
  /// `.name` or `->name`.
  bool IsMember = false;
  /// `name(`
  bool IsCalled = false;
};

/// Code that the edits of a change can't reach, as it is written in a macro's body.
struct MacroSite {
  FunctionKey Function;
  /// Where the macro is expanded.
  Span Where;
  enum class Kind {
    Loop,      ///< a loop over a data loader
    Placement, ///< `model->to(device)`
    Read,      ///< `loss.item()`
    Output     ///< something printed or saved, which every process does
  } What = Kind::Output;
};

} // namespace accel_rewrite

#endif
