//===- TensorTypes.h - What operations do to the rows of tensors ----------===//
#ifndef ACCEL_REWRITE_DISCOVER_TENSORTYPES_H
#define ACCEL_REWRITE_DISCOVER_TENSORTYPES_H

#include "discover/FunctionBody.h"

namespace accel_rewrite {

/// Whether \p E is a constant; if so, its \p Value.
bool isInt(const FunctionBody& Body, const clang::Expr* E, int64_t& Value);
/// A tensor, or a container or class of the program with tensors in it.
bool holdsTensors(clang::QualType T, unsigned Depth = 0);
/// A type that accel's shard() divides: a tensor, an Example, standard containers of those.
bool isDivisible(const Source& Src, clang::QualType T);
/// `torch::jit::Module`.
bool isScriptModule(clang::QualType T);

/// What a method of a tensor does with the first dimension.
enum class RowUse {
  Keeps,
  Picks,    ///< some of the rows
  TakesOne, ///< it is about a single row
  Mixes,    ///< it computes something from all rows
  Moves     ///< another dimension becomes the first
};
RowUse rowUse(const FunctionBody& Body, const clang::CXXMemberCallExpr* E);
/// Whether \p E has a mean, a deviation or the like over all rows in it.
bool mixesRows(const FunctionBody& Body, const clang::Expr* E);
/// The number in `view({64, -1})` that fixes the number of rows; null where the rows stay open,
/// also by the size of a tensor, unless it was asked for outside of \p Scope.
const clang::Expr* fixedRows(const FunctionBody& Body, const clang::CXXMemberCallExpr* E,
                             const clang::Stmt* Scope = nullptr);

/// What a function of libtorch makes, when it is given no tensor or a list of them.
enum class Creation {
  None,   ///< it computes something from its arguments
  Scalar, ///< a number, or one row for all
  Like,   ///< as many rows as its argument
  Joined, ///< rows from a list: stack, cat
  Rows,   ///< rows of its own: randn, from_blob
  Other   ///< eye, arange and the like
};
Creation creation(const FunctionBody& Body, const clang::CallExpr* E);

/// The sizes in `torch::zeros({2, rows})`; empty where they aren't listed.
llvm::ArrayRef<const clang::Expr*> createdSizes(const clang::CallExpr* E);

/// Whether a model has a part in this call.
bool usesModel(const Source& Src, const clang::CallExpr* E);
/// A tensor that is trained itself: made with requires_grad.
bool isTrained(const FunctionBody& Body, const clang::ValueDecl* D);
/// The variable of a range-for.
bool isLoopVariable(const FunctionBody& Body, const clang::ValueDecl* D);
/// What the range-for of such a variable goes over.
const clang::Expr* rangeOf(const FunctionBody& Body, const clang::ValueDecl* D);
/// `torch::Tensor x;`
bool isEmptyTensor(const clang::VarDecl* Var);

} // namespace accel_rewrite

#endif
