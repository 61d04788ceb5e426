//===- Mentions.h - What a mention of a variable does with it -------------===//
#ifndef ACCEL_REWRITE_DISCOVER_MENTIONS_H
#define ACCEL_REWRITE_DISCOVER_MENTIONS_H

#include "discover/FunctionBody.h"

namespace accel_rewrite {

/// Whether \p E is a call of a function of namespace std with one of these names.
bool isStdCall(const clang::Expr* E, llvm::ArrayRef<llvm::StringRef> Names);
/// Whether \p Where is a call to a function that may fill its argument, other than std::tie and
/// std::move.
bool fillsArgument(const clang::Expr* Where);
/// Whether \p E is a call of std::tie or std::forward_as_tuple.
bool isTie(const clang::Expr* E);
/// What is assigned to the `std::tie(…)` call \p Tie; null where nothing is.
const clang::Expr* valueOfTie(const FunctionBody& Body, const clang::Expr* Tie);
/// The variable in `std::get<I>(variable)`; null for anything else.
const clang::ValueDecl* tupleOf(const clang::Expr* E);
/// Whether two mentions are of one variable, or of one member or part of one variable.
bool isSameThing(const clang::Expr* A, const clang::Expr* B);
/// Assigned to, or bound by std::tie.
bool isWritten(const FunctionBody& Body, const clang::Expr* E);
/// Not only asked for its type, its device or a dimension other than the rows.
bool isReadForRows(const FunctionBody& Body, const clang::Expr* E);

} // namespace accel_rewrite

#endif
