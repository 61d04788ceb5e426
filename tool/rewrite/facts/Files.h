//===- Files.h - The files of a project as they were parsed ---------------===//
#ifndef ACCEL_REWRITE_FACTS_FILES_H
#define ACCEL_REWRITE_FACTS_FILES_H

#include "facts/Configurations.h"
#include "facts/Span.h"

#include <set>
#include <vector>

namespace accel_rewrite {

/// A file of the project as it was parsed.
struct SourceFile {
  std::string Path;
  std::string Text;
  /// Where `#include <accel/accel.h>` goes.
  unsigned IncludeOffset = 0;
  /// Other places for it: before and behind each include that no `#if` and no brace is around.
  std::vector<unsigned> IncludePlaces;
  bool IncludesAccel = false;
  /// From `// accel-rewrite: off` to `// accel-rewrite: on`, or to the end.
  std::vector<Span> OffRegions;
  /// Lines of code that end in `// accel-rewrite: off`: a loop that begins there is left alone.
  std::vector<unsigned> OffLines;
  /// The first mention of a BatchNorm layer.
  Span BatchNorm;
  /// The first layer that draws random numbers for each row, and the first indices that are drawn.
  Span Dropout;
  Span RandomPick;
  /// The first `std::random_device`.
  Span RandomSeed;
  /// The comment in its first lines that says that a program writes this file.
  Span Generated;
  /// The names in branches that no unit compiles.
  std::vector<SkippedName> Skipped;
  /// The first place where the file's own compile commands make something else of it.
  Span Disagreement;
  /// The main files of the units that it is part of.
  std::set<std::string> Units;
};

} // namespace accel_rewrite

#endif
