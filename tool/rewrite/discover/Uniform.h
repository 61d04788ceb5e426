//===- Uniform.h - What has the same value on all processes ---------------===//
//
// A collective in a rewritten program must be reached by all processes or by
// none. Inside the loop over a data loader that holds where every condition
// around it is uniform: made of constants, parameters and counters, not of a
// process's own rows. A value that is a mean over rows counts as uniform, since
// such reads become the mean over all processes.
//
//===----------------------------------------------------------------------===//
#ifndef ACCEL_REWRITE_DISCOVER_UNIFORM_H
#define ACCEL_REWRITE_DISCOVER_UNIFORM_H

#include "discover/FunctionBody.h"

#include <set>

namespace accel_rewrite {

/// A place that changes a variable.
struct Write {
  const clang::Expr* Where;
  const clang::ValueDecl* Target;
  enum class Kind { Assign, Add, Other } How;
  /// What is assigned or added; null for `++`.
  const clang::Expr* Value;
};

/// All assignments, compound assignments and increments of variables in \p Body; a variable whose
/// address is taken, or that is bound to a reference which may change it, counts as written there
/// (Kind::Other).
std::vector<Write> writesIn(const FunctionBody& Body);

/// The variables that a `backward()` in \p Body is called on.
std::set<const clang::ValueDecl*> lossesIn(const FunctionBody& Body);
/// The tensor of `tensor.item<T>()`; null for any other call.
const clang::Expr* itemObject(const clang::Expr* E);

class Uniform {
public:
  explicit Uniform(const FunctionBody& Body)
      : Body(Body), Writes(writesIn(Body)), Losses(lossesIn(Body)) {}

  bool isUniform(const clang::Expr* E) const;
  bool isUniform(const clang::ValueDecl* Variable) const;
  /// The innermost condition around \p S (up to \p Within, or the whole function) that may differ
  /// between processes; null if none does.
  const clang::Expr* differingGuard(const clang::Stmt* S,
                                    const clang::Stmt* Within = nullptr) const;
  const std::vector<Write>& writes() const { return Writes; }
  bool isLoss(const clang::ValueDecl* D) const { return D && Losses.count(D); }
  /// Whether reading \p Tensor gives a mean over rows, which becomes that of all processes.
  bool isMean(const clang::Expr* Tensor) const;

private:
  bool isRunning(const clang::ValueDecl* Var, const clang::Stmt* At) const;
  bool computeUniform(const clang::VarDecl* Var) const;

  const FunctionBody& Body;
  std::vector<Write> Writes;
  std::set<const clang::ValueDecl*> Losses;
  mutable std::map<const clang::ValueDecl*, bool> Known;
};

} // namespace accel_rewrite

#endif
