//===- BatchRead.cpp - Numbers that are printed, added up, decided on -----===//
#include "plan/Reads.h"
#include "rules/Rules.h"

namespace accel_rewrite {

void batchReadRule(const Facts& F, const Change& C, EditList& Out) {
  for (const BatchRead& R : F.BatchReads) {
    if (!C.Training.contains(R.Object) || !backwardOf(C, R))
      continue;
    ReadForm Form = readForm(C, R);
    if (Form == ReadForm::Mean)
      Out.replace(R.Object, "accelerator.mean(" + F.text(R.Object) + ")");
    else if (Form == ReadForm::Share)
      Out.replace(R.Object, "accelerator.share(" + F.text(R.Object) + ")");
  }
  for (const Accumulator& A : C.Training.accumulators())
    if (isSumOfRows(A))
      for (const Span& Value : A.RowSums) {
        Out.insert(Value.File, Value.Begin, "accelerator.once(");
        Out.insert(Value.File, Value.End, ")");
      }
  std::vector<std::string> Reductions;
  for (const Accumulator* A : reducedSums(F, C))
    Reductions.push_back(A->Name + " = accelerator.reduce(" + A->Name + ", accel::Sum);");
  if (const Loop* L = C.Training.Training; L && !Reductions.empty())
    Out.insertLinesAfter(L->Whole, L->Indent, Reductions);
}

} // namespace accel_rewrite
