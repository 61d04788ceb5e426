//===- Batch.cpp - Batches arrive on the device ---------------------------===//
#include "rules/Rules.h"

namespace accel_rewrite {

void batchRule(const Facts&, const Change& C, EditList& Out) {
  for (const Placement* P : C.BatchPlacements)
    if (P->Statement.valid())
      Out.removeStatement(P->Statement); // Its result was never used.
    else if (!P->OnlyArgument)
      Out.replace(P->ToConversion, "");
    else if (P->SelfAssignment.valid())
      Out.removeStatement(P->SelfAssignment);
    else
      Out.replace(P->Suffix, "");
}

} // namespace accel_rewrite
