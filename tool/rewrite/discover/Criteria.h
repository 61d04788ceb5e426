//===- Criteria.h - The reduction of libtorch's loss functions ------------===//
#ifndef ACCEL_REWRITE_DISCOVER_CRITERIA_H
#define ACCEL_REWRITE_DISCOVER_CRITERIA_H

#include "discover/LossForm.h"
#include "discover/Uniform.h"

namespace clang {
class CallExpr;
class FunctionDecl;
} // namespace clang

namespace accel_rewrite {

/// Reads reductions from the arguments and options that libtorch's losses are given.
class Criteria {
public:
  Criteria(const FunctionBody& Body, const std::vector<Write>& Writes)
      : Body(Body), Writes(Writes) {}

  /// `torch::nll_loss(…)`, `torch::nn::functional::cross_entropy(…)`: by the parameters
  /// `reduction`, `weight`, `ignore_index`, `options`.
  FormOfLoss function(const clang::CallExpr* E, const clang::FunctionDecl* Callee) const;
  /// `criterion(output, target)` of one of libtorch's loss modules: by what \p Object, a variable,
  /// a member or a temporary, was made with.
  FormOfLoss module(const clang::Expr* E, const clang::Expr* Object) const;

private:
  FormOfLoss reductionNumber(const clang::Expr* E) const;
  void readOptions(const clang::Stmt* S, bool Divides, FormOfLoss& Form) const;
  void readSetter(const clang::CallExpr* Call, llvm::StringRef Name, bool Divides,
                  FormOfLoss& Form) const;
  void readOptionsVariable(const clang::VarDecl* Var, bool Divides, FormOfLoss& Form) const;
  bool readField(const clang::FieldDecl* Field, bool Divides, FormOfLoss& Form) const;

  const FunctionBody& Body;
  const std::vector<Write>& Writes;
};

} // namespace accel_rewrite

#endif
