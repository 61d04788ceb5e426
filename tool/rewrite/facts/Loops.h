//===- Loops.h - Loops over batches, and what they add up -----------------===//
#ifndef ACCEL_REWRITE_FACTS_LOOPS_H
#define ACCEL_REWRITE_FACTS_LOOPS_H

#include "facts/Span.h"

#include <vector>

namespace accel_rewrite {

/// A variable that a loop adds to.
struct Accumulator {
  DeclKey Key;
  std::string Name;
  /// It's arithmetic, local to the loop's function, starts at zero, and is read after the loop
  /// only.
  bool IsSum = false;
  /// Something that differs between the rows is added to it, not only counted.
  bool AddsRows = false;
  /// In a training loop: only values that are the same on all processes are added to it.
  bool Uniform = false;
  /// All that is added are means over a batch's rows: `loss.item()`.
  bool OnlyLoss = false;
  /// All that is added are sums over a batch's rows (`pred.eq(target).sum().item()`, `loss.item() *
  /// data.size(0)`): these expressions.
  std::vector<Span> RowSums;
  Span FirstWrite;
  bool ReadAfter = false;
  /// After the loop it is divided by a variable that the loop counts up, wherever it is read.
  bool DividedByCount = false;
};

/// A loop, of any kind.
struct Loop {
  FunctionKey Function;
  Span Whole;
  std::string Indent;
  /// It reads a data loader: `for (auto& batch : loader)`, or from its `begin()` to its `end()`.
  bool OverLoader = false;
  /// The variable of a range-for, or the iterator over a loader.
  DeclKey Batch;
  /// Over a loader: the variable or parameter at the root of the range.
  DeclKey Loader;
  /// The range's type is deduced, at least as far as this function sees.
  bool LoaderTypeDeduced = false;
  /// Over a loader whose type says that its sampler divides rows between processes.
  bool DistributedSampler = false;
  std::vector<Accumulator> Accumulators;
  /// A break, return or goto that leaves the loop early.
  Span EarlyExit;
  /// For a loop without backward: why its sums can't be divided between processes (empty: they
  /// can).
  std::string EvaluationObstacle;
  Span EvaluationObstacleAt;
};

} // namespace accel_rewrite

#endif
