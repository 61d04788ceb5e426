//===- Region.h - The code that one training step runs through ------------===//
#ifndef ACCEL_REWRITE_PLAN_REGION_H
#define ACCEL_REWRITE_PLAN_REGION_H

#include "facts/Facts.h"
#include "plan/Trace.h"

#include <set>

namespace accel_rewrite {

/// A training loop with all that it runs: its body, and the project's functions that are called
/// from it, at whatever remove. Where one call of a function is one step, and no loop is in sight,
/// that function.
struct Region {
  /// The loop over the batches; null where there is none in sight.
  const Loop* Training = nullptr;
  /// The function that the loop is in, or that is the region.
  FunctionKey Function;
  /// Where to point a person to: the loop, or the first backward.
  Span At;
  /// The loop (or the body of the function), and the bodies of the functions called from there.
  std::vector<Span> Code;
  std::vector<const Backward*> Backwards;
  /// Functions with a backward, a step, or a call on the way there from the loop.
  std::set<FunctionKey> Functions;

  /// Whether \p Where runs in a step.
  bool contains(const Span& Where) const;
  /// What the loop adds up; nothing without a loop.
  const std::vector<Accumulator>& accumulators() const;
};

/// A backward that is in no region: no optimizer steps on any way that leads to it.
struct Stray {
  const Backward* Where = nullptr;
  /// Several functions lead to it, each with a training loop of its own.
  bool Shared = false;
};

struct Regions {
  std::vector<Region> Found;
  std::vector<Stray> Strays;
};

/// Divides the backwards of the project into regions, each backward into one.
Regions findRegions(const Facts& F, const Trace& Paths);

} // namespace accel_rewrite

#endif
