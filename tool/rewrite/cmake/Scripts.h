//===- Scripts.h - What a project's CMake files say of its targets --------===//
//
// The files are read as text: `set` and `list(APPEND …)` outside of functions
// and loops are followed, subdirectories and included files entered. What
// that doesn't show counts as unknown, never as absent.
//
//===----------------------------------------------------------------------===//
#ifndef ACCEL_REWRITE_CMAKE_SCRIPTS_H
#define ACCEL_REWRITE_CMAKE_SCRIPTS_H

#include "cmake/Commands.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace accel_rewrite {

/// A command, and where it is executed.
struct CMakePlace {
  std::string File;
  /// The directory (with the CMakeLists.txt) in whose scope it stands.
  std::string Directory;
  CMakeCommand Command;
  /// Around it are this many `if`.
  unsigned Depth = 0;
};

struct CMakeTarget {
  std::string Name;
  /// Its add_executable or add_library.
  CMakePlace Made;
  /// Absolute paths.
  std::set<std::string> Sources;
  /// Some are behind a variable that can't be followed, or a pattern.
  bool Unknown = false;
  /// Its target_link_libraries.
  std::vector<CMakePlace> Links;
};

struct CMakeScripts {
  /// The text of each file that was read.
  std::map<std::string, std::string> Texts;
  std::vector<CMakeTarget> Targets;
  std::vector<CMakePlace> Packages; ///< find_package

  CMakeTarget* target(const std::string& Name);
};

/// Reads the CMakeLists.txt of the folders from \p Root down to that of \p Source, and what they
/// lead to.
CMakeScripts readScripts(const std::string& Root, const std::string& Source);

} // namespace accel_rewrite

#endif
