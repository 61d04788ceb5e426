//===- Optimizers.cpp - The optimizers that a change prepares -------------===//
#include "plan/ChangeBuilder.h"
#include "plan/OptimizerTrace.h"

#include <algorithm>

namespace accel_rewrite {

template <typename T> static void addOnce(std::vector<const T*>& Into, const T* One) {
  if (std::find(Into.begin(), Into.end(), One) == Into.end())
    Into.push_back(One);
}

/// All that may step there is prepared where it is made, and held as what it then is.
bool ChangeBuilder::addOptimizers(const Step& S) {
  OptimizerTrace::Found Behind = OptimizerTrace(F).behind(stepNode(S.Where));
  if (Behind.Lost || Behind.Made.empty())
    return refuse("AR003", Behind.LostAt.valid() ? Behind.LostAt : S.Where,
                  "the optimizer of a step can't be followed back from here to where it is made",
                  "name the files that make it too, or prepare it by hand");
  for (const OptimizerVariable* O : Behind.Made) {
    if (O->Made == OptimizerVariable::Form::Unsupported)
      return refuse("AR030", O->Declarator,
                    "this optimizer can't be prepared where it is made: " + O->Obstacle,
                    "make it in a function, in a declaration of its own, or prepare it by hand");
    addOnce(C.Optimizers, O);
  }
  for (const OptimizerHolder* H : Behind.Holders) {
    for (const Span& Type : H->Types)
      if (!Type.valid())
        return refuse(
            "AR031", H->Where,
            "'" + H->Name +
                "' holds the optimizer by value, and its type isn't written here, so that "
                "it can't become that of a prepared optimizer",
            "write the type out, or hold the optimizer by a std::unique_ptr");
    addOnce(C.OptimizerHolders, H);
  }
  for (const OptimizerType& T : F.OptimizerTypes)
    for (const OptimizerFlow& Flow : F.OptimizerFlows)
      if (Flow.To == T.Optimizer &&
          std::any_of(Behind.Made.begin(), Behind.Made.end(),
                      [&](const OptimizerVariable* O) { return O->Key == Flow.From; }))
        addOnce(C.OptimizerTypes, &T);
  return true;
}

bool ChangeBuilder::findOptimizers() {
  bool HasStep = false;
  for (const Step& S : F.Steps) {
    if (!R.contains(S.Where))
      continue;
    HasStep = true;
    if (S.HasOpaqueClosure)
      return refuse("AR003", S.Where,
                    "this step evaluates a closure that isn't written out in this function",
                    "pass a lambda that calls loss.backward() itself");
    if (!addOptimizers(S))
      return false;
  }
  return HasStep || refuse("AR002", C.Backwards.front()->Whole,
                           "no optimizer steps in the loop of this backward",
                           "step in the loop that computes the gradients, or convert it by hand");
}

} // namespace accel_rewrite
