//===- Backward.cpp - loss.backward() becomes accelerator.backward(loss) --===//
#include "rules/Rules.h"

namespace accel_rewrite {

void backwardRule(const Facts&, const Change& C, EditList& Out) {
  for (const Backward* B : C.Backwards) {
    Span Before = B->Whole, After = B->Whole;
    Before.End = B->Object.Begin;
    After.Begin = B->Object.End;
    Out.replace(Before, "accelerator.backward(");
    Out.replace(After, B->Form == LossForm::Sum ? ", accel::Sum)" : ")");
  }
}

} // namespace accel_rewrite
