//===- Run.h - From options to an exit code -------------------------------===//
#ifndef ACCEL_REWRITE_RUN_H
#define ACCEL_REWRITE_RUN_H

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace accel_rewrite {

struct Options;

/// Reads, plans and writes what \p O asks for. \p Out gets the diff and nothing else, \p Err all
/// messages. Returns the exit code.
int run(const Options& O, llvm::raw_ostream& Out, llvm::raw_ostream& Err);

} // namespace accel_rewrite

#endif
