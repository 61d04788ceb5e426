//===- Reads.h - What a read of the loss becomes --------------------------===//
#ifndef ACCEL_REWRITE_PLAN_READS_H
#define ACCEL_REWRITE_PLAN_READS_H

#include "plan/Plan.h"

namespace accel_rewrite {

enum class ReadForm {
  Mean,  ///< `accelerator.mean(loss)`: a collective, at once
  Share, ///< `accelerator.share(loss)`: no collective; the sum is reduced after the loop
  Once,  ///< in `accelerator.once(…)`, a sum over rows: no collective; the sum is reduced after the
         ///< loop
  Local, ///< stays, and may differ between processes: a remark says so
  Harmless ///< stays: an assertion
};

ReadForm readForm(const Facts& F, const Change& C, const BatchRead& R);
/// The backward of \p C that is called on the tensor that \p R reads; null where there is none.
const Backward* backwardOf(const Change& C, const BatchRead& R);
/// Whether \p A adds up sums over rows, each of which is to be counted by one process.
bool isSumOfRows(const Accumulator& A);
/// The running sums of the training loop that are reduced after it.
std::vector<const Accumulator*> reducedSums(const Facts& F, const Change& C);

} // namespace accel_rewrite

#endif
