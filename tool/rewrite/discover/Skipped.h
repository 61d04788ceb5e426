//===- Skipped.h - What stands in the branches that are not compiled ------===//
#ifndef ACCEL_REWRITE_DISCOVER_SKIPPED_H
#define ACCEL_REWRITE_DISCOVER_SKIPPED_H

#include "facts/Facts.h"

#include "clang/Basic/SourceLocation.h"

namespace clang {
class LangOptions;
class SourceManager;
} // namespace clang

namespace accel_rewrite {

/// The names in those of \p Ranges that are in \p File, which is at \p Path. What stands behind
/// `#if 0` is a comment, no configuration, and left out.
std::vector<SkippedName> skippedNames(const clang::SourceManager& SM,
                                      const clang::LangOptions& Lang, clang::FileID File,
                                      const std::string& Path,
                                      const std::vector<clang::SourceRange>& Ranges);

} // namespace accel_rewrite

#endif
