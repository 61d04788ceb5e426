//===- Steps.h - Backward and step ----------------------------------------===//
#ifndef ACCEL_REWRITE_FACTS_STEPS_H
#define ACCEL_REWRITE_FACTS_STEPS_H

#include "facts/Span.h"

#include <vector>

namespace accel_rewrite {

/// How a loss stands to the rows of its batch.
enum class LossForm { Mean, Sum, Weighted, Unknown };

struct Backward {
  FunctionKey Function;
  /// `loss.backward()` and `loss`.
  Span Whole;
  Span Object;
  DeclKey Loss;
  /// Each argument as written: `{}`, `true`.
  std::vector<Span> Arguments;
  /// The first argument, a gradient, is written as `{}`: there is none.
  bool EmptyGradient = false;
  /// `torch::autograd::backward({a, b})`: Object is the list, or the only loss in it.
  bool Free = false;
  LossForm Form = LossForm::Unknown;
  /// What decided the form, or hid it.
  Span FormAt;
  /// In a macro's body, or where another thread may run it: the diagnostic's code.
  std::string Obstacle;
};

/// `torch::nn::utils::clip_grad_norm_(…)` or `clip_grad_value_`.
struct Clip {
  FunctionKey Function;
  /// The tokens that name it, and the name alone.
  Span Callee;
  std::string Name;
};

struct Step {
  FunctionKey Function;
  Span Where;
  DeclKey Optimizer;
  /// It evaluates a closure that can't be seen: no lambda.
  bool HasOpaqueClosure = false;
};

} // namespace accel_rewrite

#endif
