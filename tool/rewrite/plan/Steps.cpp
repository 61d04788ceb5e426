//===- Steps.cpp - Where a change computes gradients ----------------------===//
#include "plan/ChangeBuilder.h"

#include <algorithm>

namespace accel_rewrite {

bool ChangeBuilder::isTraining(const Loop& Other) const {
  std::vector<Span> Code = Paths.reachedFrom(Other.Whole);
  return std::any_of(F.Backwards.begin(), F.Backwards.end(), [&](const Backward& B) {
    return std::any_of(Code.begin(), Code.end(),
                       [&](const Span& Part) { return Part.contains(B.Whole); });
  });
}

bool ChangeBuilder::checkBackwards() {
  for (const Backward* Site : R.Backwards) {
    const Backward& B = *Site;
    if (B.Obstacle == "AR008")
      return refuse("AR008", B.Whole,
                    "this backward is written in a macro, which can't be edited safely",
                    "write it out");
    if (B.Obstacle == "AR009")
      return refuse("AR009", B.Whole,
                    "this backward is in a lambda that is handed on: when and on which thread it "
                    "runs isn't known",
                    "call it in the loop itself");
    if (B.Obstacle == "AR060")
      return refuse("AR060", B.Whole, "this backward is in an OpenMP region, on several threads",
                    "train on one thread a process, and let accel use several processes");
    if (B.Obstacle == "AR011")
      return refuse("AR011", B.Whole,
                    "this backward has arguments that accelerator.backward doesn't take",
                    "write it as loss.backward(), or convert the loop by hand");
    C.Backwards.push_back(&B);
  }
  return true;
}

} // namespace accel_rewrite
