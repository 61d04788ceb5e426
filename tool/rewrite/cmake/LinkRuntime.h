//===- LinkRuntime.h - The runtime in a project's CMake files -------------===//
#ifndef ACCEL_REWRITE_CMAKE_LINKRUNTIME_H
#define ACCEL_REWRITE_CMAKE_LINKRUNTIME_H

#include "edit/Edit.h"
#include "report/Diagnostic.h"

namespace accel_rewrite {

struct CMakeChange {
  /// The files to change, and their edits, ascending.
  std::map<std::string, std::string> Texts;
  std::map<std::string, std::vector<Edit>> Edits;
  /// Where it can't be told what to change: then nothing is changed.
  std::vector<Diagnostic> Diagnostics;
};

/// What it takes so that the targets that compile \p Sources find and link `accel::accel`.
/// \p Build is the build folder, or empty; files outside of \p Root are not changed.
CMakeChange linkRuntime(const std::string& Root, const std::string& Build,
                        const std::set<std::string>& Sources);

} // namespace accel_rewrite

#endif
