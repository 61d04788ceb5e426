//===- Guard.h - What forbids a change that was worked out ----------------===//
//
// The plan says what the conversion of a loop takes; a guard says why those
// edits must not be made all the same: because of the files that they are in,
// of code that they can't reach, or of configurations that they would break.
//
//===----------------------------------------------------------------------===//
#ifndef ACCEL_REWRITE_GUARD_GUARD_H
#define ACCEL_REWRITE_GUARD_GUARD_H

#include "edit/Edit.h"
#include "plan/Plan.h"

#include <optional>
#include <string>

namespace accel_rewrite {

/// Why the change must not be made; nothing where it may. \p InPlace: the files themselves would be
/// written.
std::optional<Diagnostic> obstacle(const Facts& F, const Change& C, const EditList& Edits,
                                   bool InPlace);

/// "the training loop at train.cpp:12", for messages about other places.
std::string loopOf(const Region& R);

/// The guards that it asks, in their order.
std::optional<Diagnostic> switchedOff(const Facts& F, const Change& C, const EditList& Edits);
std::optional<Diagnostic> macroObstacle(const Facts& F, const Change& C, const EditList& Edits);
std::optional<Diagnostic> fileObstacle(const Facts& F, const Change& C, const EditList& Edits,
                                       bool InPlace);
std::optional<Diagnostic> configurationObstacle(const Facts& F, const Change& C,
                                                const EditList& Edits);

} // namespace accel_rewrite

#endif
