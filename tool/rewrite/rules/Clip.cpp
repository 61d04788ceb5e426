//===- Clip.cpp - Clipping goes through the accelerator -------------------===//
#include "rules/Rules.h"

namespace accel_rewrite {

void clipRule(const Facts& F, const Change& C, EditList& Out) {
  for (const Clip& Call : F.Clips)
    if (seesAccelerator(C, Call.Function, Call.Callee) &&
        (Call.Function != C.Training.Function || C.Training.contains(Call.Callee)))
      Out.replace(Call.Callee, "accelerator." + Call.Name);
}

} // namespace accel_rewrite
