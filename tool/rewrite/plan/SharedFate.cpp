#include "plan/SharedFate.h"
#include "plan/OptimizerTrace.h"

#include <algorithm>

namespace accel_rewrite {

std::set<std::string> SharedFate::holdings(const Region& R) const {
  std::set<std::string> Result;
  auto AddOrigins = [&](const DeclKey& Key) {
    for (const DeclKey& Variable : Paths.origins(Key).Variables)
      Result.insert(Variable);
  };
  OptimizerTrace Optimizers(F);
  for (const Step& S : F.Steps)
    if (R.contains(S.Where))
      for (const OptimizerVariable* O : Optimizers.behind(stepNode(S.Where)).Made) {
        Result.insert(O->Key);
        for (const OptimizerVariable::Source& Model : O->Models)
          AddOrigins(Model.Root);
      }
  if (R.Training && R.Training->OverLoader)
    AddOrigins(R.Training->Loader);
  return Result;
}

bool SharedFate::areTied(const Region& A, const Region& B) const {
  std::set<std::string> Of = holdings(A), With = holdings(B);
  return std::any_of(Of.begin(), Of.end(),
                     [&](const std::string& Key) { return With.count(Key) > 0; });
}

} // namespace accel_rewrite
