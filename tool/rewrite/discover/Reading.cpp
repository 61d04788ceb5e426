#include "discover/Reading.h"

using namespace clang;

namespace accel_rewrite {

Reading unknown(const Expr* E) {
  return {Reading::Unknown, E};
}

Reading add(Reading A, Reading B, const Expr* Where) {
  if (A.Is == Reading::Number)
    return B;
  if (A.Is == B.Is)
    return A.Is == Reading::Weighted ? unknown(Where) : B;
  if (B.Is == Reading::Number)
    return A;
  // A regulariser counts once in a mean; in a sum it would count once a process.
  if (A.Is == Reading::Fixed && B.Is == Reading::Mean)
    return B;
  if (B.Is == Reading::Fixed && A.Is == Reading::Mean)
    return A;
  return unknown(A.Is == Reading::Unknown ? A.Where : B.Is == Reading::Unknown ? B.Where : Where);
}

/// One of several values that a variable may have.
Reading either(Reading A, Reading B, const Expr* Where) {
  return A.Is == B.Is && A.Is == Reading::Weighted ? A : add(A, B, Where);
}

Reading multiply(Reading A, Reading B, const Expr* Where) {
  bool Factor = A.Is == Reading::Number || (A.Is == Reading::Fixed && B.Is != Reading::Number);
  if (Factor)
    return B;
  if (B.Is == Reading::Number || B.Is == Reading::Fixed)
    return A;
  if ((A.Is == Reading::RowCount && B.Is == Reading::Mean) ||
      (B.Is == Reading::RowCount && A.Is == Reading::Mean))
    return {Reading::Sum, Where};
  return unknown(Where);
}

Reading divide(Reading A, Reading B, const Expr* Where) {
  if (B.Is == Reading::Number || (B.Is == Reading::Fixed && A.isLoss()))
    return A;
  if (A.Is == Reading::Sum && B.Is == Reading::RowCount)
    return {Reading::Mean, Where};
  if (A.Is == Reading::Sum && (B.Is == Reading::Local || B.Is == Reading::Sum))
    return {Reading::Weighted, Where};
  return unknown(Where);
}

} // namespace accel_rewrite
