//===- OptimizerExpr.h - What has an optimizer for its value --------------===//
#ifndef ACCEL_REWRITE_DISCOVER_OPTIMIZEREXPR_H
#define ACCEL_REWRITE_DISCOVER_OPTIMIZEREXPR_H

#include "discover/Source.h"

#include "clang/AST/TypeLoc.h"

namespace accel_rewrite {

/// How a type holds an optimizer, through containers, optionals and pairs.
enum class Hold { None, Value, Reference, Pointer };
Hold holds(clang::QualType T);
/// The optimizer's class in a written type: `T` of `std::vector<T>`. Invalid where it isn't written
/// there, or another optimizer is too.
clang::SourceRange optimizerIn(clang::TypeLoc Written);

/// What an expression has for its value, as far as optimizers go.
struct OptimizerValue {
  std::vector<OptimizerNode> From;
  /// Expressions that make one.
  std::vector<const clang::Expr*> Made;

  void add(OptimizerValue Other);
};
OptimizerValue optimizerValue(const Source& Src, const clang::Expr* E);

/// The nodes of the expression that makes an optimizer, of a function's result.
OptimizerNode madeNode(const Source& Src, const clang::Expr* E);
OptimizerNode resultNode(const clang::FunctionDecl* F);

/// Whether \p E makes an optimizer: `T(args)`, `new T(args)`, `std::make_unique<T>(args)`.
bool makesOptimizer(const clang::Expr* E);
/// The class that \p E, which makes an optimizer, makes.
const clang::CXXRecordDecl* madeClass(const clang::Expr* E);

} // namespace accel_rewrite

#endif
