//===- Hazards.h - What a program does that rules its training out --------===//
#ifndef ACCEL_REWRITE_FACTS_HAZARDS_H
#define ACCEL_REWRITE_FACTS_HAZARDS_H

#include "facts/Span.h"

#include <vector>

namespace accel_rewrite {

/// Something that can't stand in the code of a training step, or in what leads to it.
struct Hazard {
  FunctionKey Function;
  std::string Code;
  Span Where;
  std::string Message;
  std::string Remedy;
  /// It rules out a step that it stands in; else also one that its function leads to.
  bool WithinStep = false;
};

/// Code that is handed to another thread.
struct ThreadStart {
  FunctionKey Function;
  /// The call, with the lambdas among its arguments.
  Span Where;
  /// The functions that it names.
  std::vector<FunctionKey> Runs;
  /// What starts it: `std::thread`.
  std::string Starter;
};

} // namespace accel_rewrite

#endif
