//===- Staged.h - The files that git would commit -------------------------===//
#ifndef ACCEL_REWRITE_PROJECT_STAGED_H
#define ACCEL_REWRITE_PROJECT_STAGED_H

#include <set>
#include <string>

namespace accel_rewrite {

struct StagedFiles {
  /// Real paths of the files that are staged as they lie on disk.
  std::set<std::string> Whole;
  /// Those with further changes that are not staged.
  std::set<std::string> Partly;
  /// Why git doesn't tell; empty where it does.
  std::string Error;
};

/// What is staged in the git repository of \p Folder.
StagedFiles stagedFiles(const std::string& Folder);

} // namespace accel_rewrite

#endif
