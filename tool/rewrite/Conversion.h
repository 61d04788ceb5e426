//===- Conversion.h - From facts to edits ---------------------------------===//
#ifndef ACCEL_REWRITE_CONVERSION_H
#define ACCEL_REWRITE_CONVERSION_H

#include "edit/Merge.h"
#include "report/Outcome.h"

namespace accel_rewrite {

struct Options;
struct Setup;

/// The edits that convert the training loops in \p F as \p O asks for, in the files that \p S
/// lets be changed; \p Result gets the loops and
/// what is to be said of them. A loop whose edits can't be made as a whole is refused.
Merged convert(const Facts& F, const Options& O, const Setup& S, Outcome& Result);

/// Adds to \p Edits, and to the files of \p All, the CMake files of the targets that own what
/// changes, or what uses the runtime already. Where they can't be told, \p Result says so.
void linkTargets(Facts& All, const Setup& S, Merged& Edits, Outcome& Result);

} // namespace accel_rewrite

#endif
