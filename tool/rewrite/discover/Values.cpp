#include "discover/Values.h"
#include "discover/Mentions.h"
#include "discover/Types.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace accel_rewrite {

std::vector<const Expr*> valuesOf(const FunctionBody& Body, const std::vector<Write>& Writes,
                                  const ValueDecl* D) {
  std::vector<const Expr*> Result;
  const auto* Var = dyn_cast<VarDecl>(D);
  if (Var && Var->getInit())
    Result.push_back(Var->getInit());
  for (const Write& W : Writes) {
    if (W.Target != D)
      continue;
    if (W.Value)
      Result.push_back(W.Value);
    else if (const Expr* Value = valueOfTie(Body, W.Where))
      Result.push_back(Value);
  }
  return Result;
}

/// The tensor variable that \p E is a part or a view of: `t[i]`, `t.slice(0, i, j)`, `t`.
static const ValueDecl* viewed(const Expr* E) {
  while (isTensor((E = written(E))->getType())) {
    const auto* Element = dyn_cast<CXXOperatorCallExpr>(E);
    const auto* Method = dyn_cast<CXXMemberCallExpr>(E);
    if (Element && Element->getOperator() == OO_Subscript)
      E = Element->getArg(0);
    else if (Method && Method->getImplicitObjectArgument())
      E = Method->getImplicitObjectArgument();
    else
      return plainVariable(E);
  }
  return nullptr;
}

/// What writes into \p Tensor in place are given.
static std::vector<const Expr*> valuesIn(const FunctionBody& Body, const ValueDecl* Tensor) {
  std::vector<const Expr*> Result;
  Body.forEach<CXXMemberCallExpr>([&](const CXXMemberCallExpr* E) {
    const CXXMethodDecl* Method = E->getMethodDecl();
    if (Method && Method->getDeclName().isIdentifier() && Method->getName().ends_with("_") &&
        E->getNumArgs() > 0 && viewed(E->getImplicitObjectArgument()) == Tensor)
      Result.insert(Result.end(), E->arg_begin(), E->arg_end());
  });
  Body.forEach<CXXOperatorCallExpr>([&](const CXXOperatorCallExpr* E) {
    if (E->isAssignmentOp() && !plainVariable(E->getArg(0)) && viewed(E->getArg(0)) == Tensor)
      Result.push_back(E->getArg(1));
  });
  return Result;
}

/// The variable of `v[i]`, `v.at(i)` and `v.data`; null for other expressions.
static const ValueDecl* partOf(const Expr* E) {
  if (const auto* Element = dyn_cast<CXXOperatorCallExpr>(E))
    return Element->getOperator() == OO_Subscript ? plainVariable(Element->getArg(0)) : nullptr;
  if (const auto* Member = dyn_cast<MemberExpr>(E))
    return plainVariable(Member->getBase());
  const auto* Method = dyn_cast<CXXMemberCallExpr>(E);
  bool IsAt = Method && Method->getMethodDecl() &&
              Method->getMethodDecl()->getDeclName().isIdentifier() &&
              Method->getMethodDecl()->getName() == "at";
  return IsAt ? plainVariable(Method->getImplicitObjectArgument()) : nullptr;
}

std::vector<const Expr*> elementsOf(const FunctionBody& Body, const ValueDecl* Container) {
  if (isTensor(Container->getType()))
    return valuesIn(Body, Container);
  std::vector<const Expr*> Result;
  Body.forEach<CXXMemberCallExpr>([&](const CXXMemberCallExpr* E) {
    const CXXMethodDecl* Method = E->getMethodDecl();
    if (Method && Method->getDeclName().isIdentifier() && Method->getName().ends_with("_back") &&
        plainVariable(E->getImplicitObjectArgument()) == Container)
      Result.insert(Result.end(), E->arg_begin(), E->arg_end());
  });
  Body.forEach<CXXOperatorCallExpr>([&](const CXXOperatorCallExpr* E) {
    if (E->getOperator() == OO_Equal && partOf(written(E->getArg(0))) == Container)
      Result.push_back(E->getArg(1));
  });
  return Result;
}

} // namespace accel_rewrite
