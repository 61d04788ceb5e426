//===- Results.h - Where edits go: a diff, the files, a copy --------------===//
#ifndef ACCEL_REWRITE_RESULTS_H
#define ACCEL_REWRITE_RESULTS_H

#include "edit/Merge.h"
#include "report/Outcome.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace accel_rewrite {

struct Options;
struct Setup;

/// What went wrong while results were written, with the exit code; no message where nothing did.
struct Failure {
  int Code = 0;
  std::string Message;
};

/// Does with \p Edits (of the texts in \p F) what the mode of \p O says: prints the diff to \p Out,
/// writes the files, or names on \p Err those that would change.
Failure deliver(const Options& O, const Setup& S, const Facts& F, const Merged& Edits,
                llvm::raw_ostream& Out, llvm::raw_ostream& Err);

/// Writes the report that \p O asks for, if it does. Returns what went wrong, or "".
std::string writeReport(const Options& O, const Outcome& Result);

} // namespace accel_rewrite

#endif
