//===- Optimizers.cpp - The optimizers that a change prepares -------------===//
#include "plan/ChangeBuilder.h"

#include <algorithm>

namespace accel_rewrite {

const OptimizerVariable* ChangeBuilder::optimizer(const DeclKey& Key) const {
  auto It = std::find_if(F.Optimizers.begin(), F.Optimizers.end(),
                         [&](const OptimizerVariable& V) { return V.Key == Key; });
  return It == F.Optimizers.end() ? nullptr : &*It;
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
    Trace::Origins From = Paths.origins(S.Optimizer);
    if (From.Lost || From.Variables.empty())
      return refuse("AR003", S.Where,
                    "the optimizer that steps here can't be followed to where it is made",
                    "name the files that make it too, or prepare it by hand");
    for (const DeclKey& Key : From.Variables) {
      const OptimizerVariable* O = optimizer(Key);
      if (!O || O->Made == OptimizerVariable::Form::Unsupported)
        return refuse("AR003", O ? O->Declarator : S.Where,
                      "the optimizer is not a local variable that is made where it is declared",
                      "declare it as `torch::optim::SGD optimizer(model->parameters(), …);` or "
                      "with std::make_unique");
      if (O->Models.empty())
        return refuse(
            "AR003", O->Declarator, "the model whose parameters this optimizer takes can't be told",
            "pass model->parameters() where the optimizer is made, or prepare it by hand");
      if (std::find(C.Optimizers.begin(), C.Optimizers.end(), O) == C.Optimizers.end())
        C.Optimizers.push_back(O);
    }
  }
  return HasStep || refuse("AR002", C.Backwards.front()->Whole,
                           "no optimizer steps in the loop of this backward",
                           "step in the loop that computes the gradients, or convert it by hand");
}

} // namespace accel_rewrite
