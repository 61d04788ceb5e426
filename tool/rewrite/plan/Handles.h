//===- Handles.h - One accelerator for all loops of a function ------------===//
#ifndef ACCEL_REWRITE_PLAN_HANDLES_H
#define ACCEL_REWRITE_PLAN_HANDLES_H

#include "plan/Plan.h"

namespace accel_rewrite {

/// Where several changes make an accelerator in one function, lets the first one serve all of
/// them.
void shareHandles(std::vector<Change>& Changes);

} // namespace accel_rewrite

#endif
