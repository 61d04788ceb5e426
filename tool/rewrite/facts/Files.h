//===- Files.h - The files of a project as they were parsed ---------------===//
#ifndef ACCEL_REWRITE_FACTS_FILES_H
#define ACCEL_REWRITE_FACTS_FILES_H

#include "facts/Span.h"

#include <vector>

namespace accel_rewrite {

/// A file of the project as it was parsed.
struct SourceFile {
  std::string Path;
  std::string Text;
  /// Where `#include <accel/accel.h>` goes.
  unsigned IncludeOffset = 0;
  bool IncludesAccel = false;
  /// From `// accel-rewrite: off` to `// accel-rewrite: on`, or to the end.
  std::vector<Span> OffRegions;
  /// Lines of code that end in `// accel-rewrite: off`: a loop that begins there is left alone.
  std::vector<unsigned> OffLines;
  /// The first mention of a BatchNorm layer.
  Span BatchNorm;
  /// The first layer that takes the rows of a batch as its second dimension (`torch::nn::LSTM`),
  /// unless the file says `batch_first`.
  Span SequenceFirst;
  /// The first `std::random_device`.
  Span RandomSeed;
  /// Where the file writes the name `accelerator` or `accel` for something of its own.
  Span NameTaken;
};

} // namespace accel_rewrite

#endif
