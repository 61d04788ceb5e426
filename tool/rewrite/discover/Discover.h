//===- Discover.h - Fills Facts from a parsed translation unit ------------===//
#ifndef ACCEL_REWRITE_DISCOVER_DISCOVER_H
#define ACCEL_REWRITE_DISCOVER_DISCOVER_H

#include "facts/Facts.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace accel_rewrite {

class Project;

/// What the project's own functions in \p AST do that concerns training. Pure: reads the AST,
/// writes nothing anywhere.
Facts discover(const clang::ASTContext& AST, const Project& P);

} // namespace accel_rewrite

#endif
