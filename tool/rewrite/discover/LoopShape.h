//===- LoopShape.h - What is a loop, and what it runs over ----------------===//
#ifndef ACCEL_REWRITE_DISCOVER_LOOPSHAPE_H
#define ACCEL_REWRITE_DISCOVER_LOOPSHAPE_H

#include "clang/AST/Stmt.h"

namespace clang {
class VarDecl;
} // namespace clang

namespace accel_rewrite {

/// What a `for`, `while` or `do` repeats; null for any other statement.
const clang::Stmt* loopBody(const clang::Stmt* S);

/// The iterator of `for (auto it = loader->begin(); it != loader->end(); ++it)` over a data loader;
/// null for any other loop.
const clang::VarDecl* loaderIterator(const clang::Stmt* S);

} // namespace accel_rewrite

#endif
