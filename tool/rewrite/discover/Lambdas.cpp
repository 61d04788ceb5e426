#include "discover/Lambdas.h"
#include "discover/Types.h"

#include "clang/AST/ExprCXX.h"

#include <set>

using namespace clang;

namespace accel_rewrite {

namespace {

/// Answers for one function body; variables that are being looked at count as harmless.
class Runs {
public:
  explicit Runs(const FunctionBody& Body) : Body(Body) {}

  bool here(const LambdaExpr* L) { return valueIsCalled(L); }

private:
  /// Whether the value of \p E, a lambda or a variable that holds one, is only called.
  bool valueIsCalled(const Expr* E) {
    const Stmt* S = E;
    const Stmt* Up = Body.parent(S);
    // A lambda that becomes a std::function, or is copied.
    while (Up && (isa<CastExpr>(Up) || isa<ParenExpr>(Up) || isa<MaterializeTemporaryExpr>(Up) ||
                  isa<CXXBindTemporaryExpr>(Up) || isa<ExprWithCleanups>(Up) ||
                  isa<CXXConstructExpr>(Up))) {
      S = Up;
      Up = Body.parent(S);
    }
    if (const auto* Declaration = dyn_cast_or_null<DeclStmt>(Up)) {
      const auto* Var =
          Declaration->isSingleDecl() ? dyn_cast<VarDecl>(Declaration->getSingleDecl()) : nullptr;
      return Var && Var->isLocalVarDecl() && variableIsCalled(Var);
    }
    if (const auto* Outer = dyn_cast_or_null<LambdaExpr>(Up))
      return isa<DeclRefExpr>(E) && here(Outer); // a capture
    const auto* Call = dyn_cast_or_null<CallExpr>(Up);
    return Call && callRuns(Call, dyn_cast<Expr>(S));
  }

  bool callRuns(const CallExpr* Call, const Expr* Argument) {
    const FunctionDecl* Callee = Call->getDirectCallee();
    if (const auto* Operator = dyn_cast<CXXOperatorCallExpr>(Call))
      return Operator->getOperator() == OO_Call && Operator->getArg(0) == Argument;
    if (isMethodOf(Callee, "torch::optim::Optimizer", "step") || isNamed(Callee, "std::for_each"))
      return true;
    if (!Callee)
      return false;
    for (unsigned I = 0; I < Call->getNumArgs() && I < Callee->getNumParams(); ++I)
      if (Call->getArg(I) == Argument)
        return Body.Src.inProject(Callee->getLocation()) && parameterIsCalled(Callee, I);
    return false;
  }

  bool variableIsCalled(const VarDecl* Var) {
    if (!Visiting.insert(Var).second)
      return true;
    bool Result = true;
    Body.forEach<DeclRefExpr>([&](const DeclRefExpr* Ref) {
      if (Ref->getDecl() == Var)
        Result = Result && valueIsCalled(Ref);
    });
    return Result;
  }

  bool parameterIsCalled(const FunctionDecl* Callee, unsigned Index) const {
    const FunctionDecl* Definition = nullptr;
    if (!Callee->hasBody(Definition) || Definition->isDependentContext())
      return false;
    Facts Unused;
    FunctionBody Inner(Body.Src, Definition, Unused);
    const ParmVarDecl* Param = Definition->getParamDecl(Index);
    bool Result = true;
    Inner.forEach<DeclRefExpr>([&](const DeclRefExpr* Ref) {
      if (Ref->getDecl() != Param)
        return;
      const Stmt* Up = Inner.parent(Ref);
      while (isa_and_nonnull<CastExpr>(Up))
        Up = Inner.parent(Up);
      const auto* Operator = dyn_cast_or_null<CXXOperatorCallExpr>(Up);
      Result = Result && Operator && Operator->getOperator() == OO_Call &&
               !Inner.enclosing<LambdaExpr>(Ref);
    });
    return Result;
  }

  const FunctionBody& Body;
  std::set<const VarDecl*> Visiting;
};

} // namespace

bool isCalledHere(const FunctionBody& Body, const LambdaExpr* L) {
  return Runs(Body).here(L);
}

const LambdaExpr* lambdaOf(const Expr* E) {
  for (E = written(E); E; E = written(E)) {
    if (const auto* L = dyn_cast<LambdaExpr>(E))
      return L;
    if (const auto* Construct = dyn_cast<CXXConstructExpr>(E)) {
      E = Construct->getNumArgs() > 0 ? Construct->getArg(0) : nullptr;
    } else if (const auto* Ref = dyn_cast<DeclRefExpr>(E)) {
      const auto* Var = dyn_cast<VarDecl>(Ref->getDecl());
      E = Var && Var->isLocalVarDecl() ? Var->getInit() : nullptr;
    } else {
      return nullptr;
    }
    if (!E)
      return nullptr;
  }
  return nullptr;
}

void discoverLambdas(const FunctionBody& Body) {
  Body.forEach<LambdaExpr>([&](const LambdaExpr* L) {
    Span Introducer = Body.Src.span(L->getIntroducerRange());
    Lambda Fact{Body.Key, Body.Src.span(L), Introducer, L->capture_begin() != L->capture_end(),
                L->getCaptureDefault() != LCD_None};
    if (Fact.Whole.valid() && Introducer.valid())
      Body.Out.Lambdas.push_back(std::move(Fact));
  });
}

} // namespace accel_rewrite
