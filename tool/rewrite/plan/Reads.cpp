#include "plan/Reads.h"

#include <algorithm>

namespace accel_rewrite {

const Backward* backwardOf(const Change& C, const BatchRead& R) {
  auto It = std::find_if(C.Backwards.begin(), C.Backwards.end(), [&](const Backward* B) {
    return !B->Loss.empty() && B->Loss == R.Loss && B->Function == R.Function;
  });
  return It == C.Backwards.end() ? nullptr : *It;
}

bool isSumOfRows(const Accumulator& A) {
  return A.IsSum && !A.RowSums.empty();
}

ReadForm readForm(const Change& C, const BatchRead& R) {
  if (R.Use == BatchRead::Use::Check)
    return ReadForm::Harmless;
  const Accumulator* Into = nullptr;
  for (const Accumulator& A : C.Training.accumulators())
    if (R.Use == BatchRead::Use::Accumulate && A.Key == R.Accumulator)
      Into = &A;
  if (Into && isSumOfRows(*Into))
    return ReadForm::Once;
  const Backward* B = backwardOf(C, R);
  // After the loop the loader's share is gone, and with it the weight of a mean.
  if (!B || B->Form != LossForm::Mean || R.Guard.valid() || !C.Training.contains(R.Object))
    return ReadForm::Local;
  if (!Into)
    return ReadForm::Mean;
  return !Into->OnlyLoss ? ReadForm::Local : Into->IsSum ? ReadForm::Share : ReadForm::Mean;
}

std::vector<const Accumulator*> reducedSums(const Facts& F, const Change& C) {
  std::vector<const Accumulator*> Result;
  for (const Accumulator& A : C.Training.accumulators()) {
    if (A.ReadAfter && isSumOfRows(A)) {
      Result.push_back(&A);
      continue;
    }
    for (const BatchRead& R : F.BatchReads)
      if (A.ReadAfter && R.Use == BatchRead::Use::Accumulate && R.Accumulator == A.Key &&
          readForm(C, R) == ReadForm::Share) {
        Result.push_back(&A);
        break;
      }
  }
  return Result;
}

} // namespace accel_rewrite
