//===- OptimizerModels.h - Whose parameters an optimizer takes ------------===//
#ifndef ACCEL_REWRITE_DISCOVER_OPTIMIZERMODELS_H
#define ACCEL_REWRITE_DISCOVER_OPTIMIZERMODELS_H

#include "discover/Source.h"

namespace accel_rewrite {

class FunctionBody;

/// Adds to \p Fact the models whose parameters the expression \p S takes, directly or through local
/// variables of \p Body.
void findModels(const Source& Src, const FunctionBody* Body, const clang::Stmt* S,
                OptimizerVariable& Fact);

} // namespace accel_rewrite

#endif
