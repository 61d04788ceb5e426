//===- TensorCalls.h - What single calls on tensors are -------------------===//
#ifndef ACCEL_REWRITE_DISCOVER_TENSORCALLS_H
#define ACCEL_REWRITE_DISCOVER_TENSORCALLS_H

#include "llvm/ADT/StringRef.h"

namespace clang {
class ASTContext;
class CallExpr;
class Expr;
class InitListExpr;
class Stmt;
} // namespace clang

namespace accel_rewrite {

/// `data.size(0)`, `data.sizes()[0]`, `data.numel()`
bool countsRows(const clang::ASTContext& AST, const clang::Expr* E);
/// `module.parameters()`
bool isParameterList(const clang::Expr* E);
/// The braced list below \p S, behind constructors and casts; null where there is none.
const clang::InitListExpr* listIn(const clang::Stmt* S);
/// `torch::Tensor()`
bool isDefaultTensor(const clang::Expr* E);
/// A tensor's method that changes nothing in how its values stand to the rows.
bool keepsForm(llvm::StringRef Method);
/// Argument number \p I where the source writes it; null for a default.
const clang::Expr* writtenArgument(const clang::CallExpr* E, unsigned I);
/// `0`, or a list with it.
bool isDimensionZero(const clang::ASTContext& AST, const clang::Expr* E);
/// `loss.masked_select(mask)`: of the rows here, some.
bool selectsRows(const clang::Expr* E);
/// `torch::zeros({1})`, `torch::tensor(0.0)`: what a loss is added to.
bool isStart(const clang::ASTContext& AST, const clang::CallExpr* E);
/// The element of `{a, b}`, `std::make_tuple(a, b)` or `std::tuple(a, b)`.
const clang::Expr* partOf(const clang::Expr* E, unsigned Part);

} // namespace accel_rewrite

#endif
