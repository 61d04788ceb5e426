#include "plan/Reads.h"

#include <algorithm>

namespace accel_rewrite {

const Backward* backwardOf(const Change& C, const LossRead& R) {
  auto It = std::find_if(C.Backwards.begin(), C.Backwards.end(), [&](const Backward* B) {
    return !B->Loss.empty() && B->Loss == R.Loss && B->Function == R.Function;
  });
  return It == C.Backwards.end() ? nullptr : *It;
}

ReadForm readForm(const Facts& F, const Change& C, const LossRead& R) {
  if (R.Use == LossRead::Use::Check)
    return ReadForm::Harmless;
  const Backward* B = backwardOf(C, R);
  // After the loop the loader's share is gone, and with it the weight of a mean.
  if (!B || B->Form != LossForm::Mean || R.Guard.valid() || !C.Training->Whole.contains(R.Object))
    return ReadForm::Local;
  if (R.Use == LossRead::Use::Accumulate)
    for (const Accumulator& A : C.Training->Accumulators)
      if (A.Key == R.Accumulator && A.IsSum && A.OnlyLoss)
        return ReadForm::Share;
  return ReadForm::Mean;
}

std::vector<const Accumulator*> reducedSums(const Facts& F, const Change& C) {
  std::vector<const Accumulator*> Result;
  for (const Accumulator& A : C.Training->Accumulators)
    for (const LossRead& R : F.LossReads)
      if (A.ReadAfter && R.Use == LossRead::Use::Accumulate && R.Accumulator == A.Key &&
          readForm(F, C, R) == ReadForm::Share) {
        Result.push_back(&A);
        break;
      }
  return Result;
}

} // namespace accel_rewrite
