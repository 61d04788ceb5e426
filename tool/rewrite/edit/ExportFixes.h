//===- ExportFixes.h - Edits for clang-apply-replacements -----------------===//
#ifndef ACCEL_REWRITE_EDIT_EXPORTFIXES_H
#define ACCEL_REWRITE_EDIT_EXPORTFIXES_H

#include "edit/Merge.h"

namespace accel_rewrite {

/// The edits in YAML, as clang-apply-replacements reads it. Applied, they give the bytes that
/// editing in place gives.
std::string exportFixes(const Merged& Edits);

} // namespace accel_rewrite

#endif
