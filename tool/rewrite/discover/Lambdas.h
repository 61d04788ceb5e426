//===- Lambdas.h - Lambdas, and who runs them -----------------------------===//
#ifndef ACCEL_REWRITE_DISCOVER_LAMBDAS_H
#define ACCEL_REWRITE_DISCOVER_LAMBDAS_H

#include "discover/FunctionBody.h"

namespace clang {
class LambdaExpr;
} // namespace clang

namespace accel_rewrite {

/// Whether \p L runs on the thread and within the time of \p Body: it is called where it is
/// written, held by a variable that is only called, or given to an optimizer's step or to a
/// function that calls its parameter and nothing else.
bool isCalledHere(const FunctionBody& Body, const clang::LambdaExpr* L);

/// The lambda that \p E is, or that the local variable \p E was initialised with; null where it's
/// another thing.
const clang::LambdaExpr* lambdaOf(const clang::Expr* E);

} // namespace accel_rewrite

#endif
