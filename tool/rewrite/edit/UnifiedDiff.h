//===- UnifiedDiff.h - Edits as a diff that git and patch take ------------===//
#ifndef ACCEL_REWRITE_EDIT_UNIFIEDDIFF_H
#define ACCEL_REWRITE_EDIT_UNIFIEDDIFF_H

#include "edit/Edit.h"

namespace accel_rewrite {

/// The unified diff, with three lines of context, of a file named \p Name (relative to the root,
/// for the `a/` and `b/` lines).
std::string unifiedDiff(const std::string& Name, const std::string& Text,
                        const std::vector<Edit>& Edits);

} // namespace accel_rewrite

#endif
