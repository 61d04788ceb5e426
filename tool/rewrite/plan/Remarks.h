//===- Remarks.h - What to know of a loop that is converted ---------------===//
#ifndef ACCEL_REWRITE_PLAN_REMARKS_H
#define ACCEL_REWRITE_PLAN_REMARKS_H

#include "plan/Plan.h"
#include "plan/Trace.h"

namespace accel_rewrite {

/// Adds a remark (AR101 …) for each place of \p C whose numbers or effects differ on several
/// processes in a way that the rewriting leaves.
void addRemarks(const Facts& F, const Trace& Paths, const Change& C, std::vector<Diagnostic>& Out);

/// Whether \p H is only remarked on.
bool isCaveat(const Hazard& H);
/// Those that concern devices.
void addDeviceRemarks(const Facts& F, const Trace& Paths, const Change& C,
                      std::vector<Diagnostic>& Out);

} // namespace accel_rewrite

#endif
