//===- Evaluation.h - Whether an evaluation can be divided ----------------===//
#ifndef ACCEL_REWRITE_DISCOVER_EVALUATION_H
#define ACCEL_REWRITE_DISCOVER_EVALUATION_H

#include "discover/FunctionBody.h"

namespace accel_rewrite {

class Uniform;

struct EvaluationObstacle {
  std::string Reason;
  Span Where;
  explicit operator bool() const { return !Reason.empty(); }
};

/// Why each process can't take a part of the batches of \p For and add up afterwards: something in
/// the loop depends on batches other than the one at hand, or has an effect besides sums. Empty
/// where that is proven not to be so.
EvaluationObstacle evaluationObstacle(const FunctionBody& Body, const Uniform& Same,
                                      const clang::Stmt* For,
                                      const std::vector<Accumulator>& Accumulators);

} // namespace accel_rewrite

#endif
