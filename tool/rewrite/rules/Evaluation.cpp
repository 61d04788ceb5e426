//===- Evaluation.cpp - Sums over a divided evaluation are reduced --------===//
#include "rules/Rules.h"

namespace accel_rewrite {

void evaluationRule(const Facts&, const Change& C, EditList& Out) {
  for (const Loop* Reader : C.EvaluationLoops) {
    std::vector<std::string> Reductions;
    for (const Accumulator& A : Reader->Accumulators)
      if (A.ReadAfter)
        Reductions.push_back(A.Name + " = accelerator.reduce(" + A.Name + ", accel::Sum);");
    if (!Reductions.empty())
      Out.insertLinesAfter(Reader->Whole, Reader->Indent, Reductions);
  }
}

} // namespace accel_rewrite
