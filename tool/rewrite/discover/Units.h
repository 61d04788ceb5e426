//===- Units.h - Reads translation units, several at a time ---------------===//
#ifndef ACCEL_REWRITE_DISCOVER_UNITS_H
#define ACCEL_REWRITE_DISCOVER_UNITS_H

#include "facts/Facts.h"

#include "clang/Tooling/CompilationDatabase.h"

namespace accel_rewrite {

class Project;

/// What one compile command's unit holds; what clang printed where it doesn't parse.
struct Unit {
  bool Parsed = false;
  std::string Errors;
  Facts Found;
};

/// Parses the units of \p Commands, whose flags are fit for it, by \p Workers threads (0: one a
/// core, at most 8), each with a file system of its own. The results stand in the order of the
/// commands, however long each took.
std::vector<Unit> readUnits(const std::vector<clang::tooling::CompileCommand>& Commands,
                            const Project& P, unsigned Workers);

} // namespace accel_rewrite

#endif
