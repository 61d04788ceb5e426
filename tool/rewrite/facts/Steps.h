//===- Steps.h - Backward and step ----------------------------------------===//
#ifndef ACCEL_REWRITE_FACTS_STEPS_H
#define ACCEL_REWRITE_FACTS_STEPS_H

#include "facts/Span.h"

namespace accel_rewrite {

/// How a loss stands to the rows of its batch.
enum class LossForm { Mean, Sum, Weighted, Unknown };

struct Backward {
  FunctionKey Function;
  /// `loss.backward()` and `loss`.
  Span Whole;
  Span Object;
  DeclKey Loss;
  bool HasArguments = false;
  LossForm Form = LossForm::Unknown;
  /// What decided the form, or hid it.
  Span FormAt;
  /// In a macro's body, or where another thread may run it: the diagnostic's code.
  std::string Obstacle;
};

struct Step {
  FunctionKey Function;
  Span Where;
  DeclKey Optimizer;
  bool HasClosure = false;
};

} // namespace accel_rewrite

#endif
