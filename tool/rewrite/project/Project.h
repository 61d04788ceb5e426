//===- Project.h - Which files are the user's own -------------------------===//
#ifndef ACCEL_REWRITE_PROJECT_PROJECT_H
#define ACCEL_REWRITE_PROJECT_PROJECT_H

#include "clang/Basic/SourceLocation.h"

#include <map>
#include <optional>
#include <string>

namespace clang {
class SourceManager;
} // namespace clang

namespace accel_rewrite {

/// The files that may be read for training loops and edited: the inputs, and the headers below the
/// root folder that no compile command calls system headers. Files are named by their real paths,
/// so that a header reached by a symbolic link is one file.
class Project {
public:
  explicit Project(std::string Root) : Root(std::move(Root)) {}

  const std::string& root() const { return Root; }
  /// Whether \p Loc (or the place where its macro is expanded) is in a project file.
  bool owns(const clang::SourceManager& SM, clang::SourceLocation Loc) const;
  /// The real path of the file of \p Loc; empty where it isn't a file of the project.
  std::string fileOf(const clang::SourceManager& SM, clang::SourceLocation Loc) const;

private:
  std::string Root;
};

} // namespace accel_rewrite

#endif
