//===- Inputs.h - The files that a command line names ---------------------===//
#ifndef ACCEL_REWRITE_PROJECT_INPUTS_H
#define ACCEL_REWRITE_PROJECT_INPUTS_H

#include <string>
#include <vector>

namespace accel_rewrite {

struct Inputs {
  /// Translation units to parse, absolute and real.
  std::vector<std::string> Files;
  /// The deepest folder that holds them all.
  std::string CommonFolder;
  /// What is wrong with the names given; empty if nothing.
  std::string Error;
};

/// Resolves \p Names: files as they are, folders to the C++ sources below them (build folders and
/// hidden ones aside).
Inputs resolveInputs(const std::vector<std::string>& Names);

/// Whether the bytes of \p File could hold a training step: they have the word `backward`.
bool mentionsBackward(const std::string& File);
/// The same for \p File with what it includes: it also counts that it includes a header of the
/// project.
bool mayHoldTraining(const std::string& File);

} // namespace accel_rewrite

#endif
