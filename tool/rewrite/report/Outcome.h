//===- Outcome.h - What a run found and did -------------------------------===//
#ifndef ACCEL_REWRITE_REPORT_OUTCOME_H
#define ACCEL_REWRITE_REPORT_OUTCOME_H

#include "report/Diagnostic.h"

namespace accel_rewrite {

/// What became of the files and of their training loops: the source of the summary and of the
/// reports.
struct Outcome {
  /// The folder that reports name files relative to.
  std::string Root;

  struct File {
    enum class State { Parsed, Broken, NoCommand, Skipped } Read = State::Skipped;
    bool Named = false;
    bool Changed = false;
  };
  /// The files that were named, and headers that change, by path.
  std::map<std::string, File> Files;
  /// All training loops, converted or refused.
  std::vector<Span> Loops;
  std::vector<Diagnostic> Diagnostics;
  /// What kept files from being read.
  std::vector<std::string> Errors;

  /// How long each stage took, in seconds.
  std::vector<std::pair<std::string, double>> Stages;
  /// How many translation units were parsed.
  size_t Units = 0;

  /// Whether no refusal speaks of \p Loop.
  bool isConverted(const Span& Loop) const;
  size_t convertedLoops() const;
  bool hasRefusals() const;
  bool hasChanges() const;
  bool any(File::State State) const;
};

} // namespace accel_rewrite

#endif
