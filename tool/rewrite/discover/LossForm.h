//===- LossForm.h - Mean or sum over the rows? ----------------------------===//
#ifndef ACCEL_REWRITE_DISCOVER_LOSSFORM_H
#define ACCEL_REWRITE_DISCOVER_LOSSFORM_H

#include "discover/FunctionBody.h"

namespace accel_rewrite {

struct FormOfLoss {
  LossForm Form = LossForm::Unknown;
  /// What decides it, or hides it.
  const clang::Expr* Where = nullptr;
};

/// Reads from the expressions that compute \p Loss whether it is a mean over the batch's rows, a
/// sum, or a mean that is weighted.
FormOfLoss lossForm(const FunctionBody& Body, const clang::Expr* Loss);

} // namespace accel_rewrite

#endif
