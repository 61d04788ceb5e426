//===- SharedFate.h - Loops that are converted together or not at all -----===//
#ifndef ACCEL_REWRITE_PLAN_SHAREDFATE_H
#define ACCEL_REWRITE_PLAN_SHAREDFATE_H

#include "plan/Region.h"

#include <set>
#include <string>

namespace accel_rewrite {

/// What a training region trains with: the optimizers that step in it, the models whose parameters
/// these take, and the loader that it reads. Two regions with something in common must both be
/// converted, or neither: half of such a program would average what the other half doesn't.
class SharedFate {
public:
  SharedFate(const Facts& F, const Trace& Paths) : F(F), Paths(Paths) {}

  bool areTied(const Region& A, const Region& B) const;

private:
  std::set<std::string> holdings(const Region& R) const;

  const Facts& F;
  const Trace& Paths;
};

} // namespace accel_rewrite

#endif
