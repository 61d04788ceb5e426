//===- Discover.h - Fills Facts from a parsed translation unit ------------===//
#ifndef ACCEL_REWRITE_DISCOVER_DISCOVER_H
#define ACCEL_REWRITE_DISCOVER_DISCOVER_H

#include "facts/Facts.h"

namespace accel_rewrite {

class Project;
struct ParsedUnit;

/// What the project's own functions in \p Unit do that concerns training. Pure: reads the AST,
/// writes nothing anywhere.
Facts discover(const ParsedUnit& Unit, const Project& P);

} // namespace accel_rewrite

#endif
