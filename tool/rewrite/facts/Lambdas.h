//===- Lambdas.h - Lambdas, which name only what they capture -------------===//
#ifndef ACCEL_REWRITE_FACTS_LAMBDAS_H
#define ACCEL_REWRITE_FACTS_LAMBDAS_H

#include "facts/Span.h"

namespace accel_rewrite {

struct Lambda {
  FunctionKey Function;
  Span Whole;
  /// `[…]`
  Span Introducer;
  bool HasCaptures = false;
  /// `[&]` or `[=]`: what it names it has.
  bool CapturesAll = false;
};

} // namespace accel_rewrite

#endif
