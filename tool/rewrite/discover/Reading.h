//===- Reading.h - What an expression says of the rows of its batch --------===//
#ifndef ACCEL_REWRITE_DISCOVER_READING_H
#define ACCEL_REWRITE_DISCOVER_READING_H

#include "clang/AST/Expr.h"

namespace accel_rewrite {

/// What an expression says of the rows of its batch.
struct Reading {
  enum Kind {
    Number,   ///< the same on every process: a constant, a factor
    Fixed,    ///< made of the model's parameters alone
    RowCount, ///< how many rows there are here
    Local,    ///< another number that depends on the rows here
    Mean,     ///< a mean over rows
    Sum,      ///< a sum over rows
    Weighted, ///< a sum divided by something else than the number of rows
    Unknown   ///< not read, or one value a row
  } Is = Unknown;
  const clang::Expr* Where = nullptr;

  bool isLoss() const { return Is == Mean || Is == Sum || Is == Weighted; }
};

/// A and B are two operands, or two values that one variable may have; Where is what they make.
Reading unknown(const clang::Expr* E);
Reading add(Reading A, Reading B, const clang::Expr* Where);
Reading either(Reading A, Reading B, const clang::Expr* Where);
Reading multiply(Reading A, Reading B, const clang::Expr* Where);
Reading divide(Reading A, Reading B, const clang::Expr* Where);

} // namespace accel_rewrite

#endif
