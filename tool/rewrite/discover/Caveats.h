//===- Caveats.h - What to know of a step that is converted ---------------===//
#ifndef ACCEL_REWRITE_DISCOVER_CAVEATS_H
#define ACCEL_REWRITE_DISCOVER_CAVEATS_H

#include "discover/FunctionBody.h"

namespace accel_rewrite {

/// Hazards that don't rule a conversion out: their codes are those of remarks.
void discoverCaveats(const FunctionBody& Body);

} // namespace accel_rewrite

#endif
