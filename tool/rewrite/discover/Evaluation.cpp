#include "discover/Evaluation.h"
#include "discover/LoopShape.h"
#include "discover/Types.h"
#include "discover/Uniform.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace accel_rewrite {

namespace {

class Prover {
public:
  Prover(const FunctionBody& Body, const Uniform& Same, const Stmt* For)
      : Body(Body), Same(Same), For(For), Repeated(loopBody(For)) {}

  EvaluationObstacle prove(const std::vector<Accumulator>& Accumulators) {
    if (!callsEval())
      fail("no eval() is called before it, so layers like BatchNorm may learn from the batches",
           For);
    if (const Expr* Guard = Same.differingGuard(For))
      fail("whether it runs may differ between processes", Guard);
    for (const Accumulator& A : Accumulators)
      if (!A.IsSum)
        fail("'" + A.Name + "' is not a plain sum that is read after the loop only", A.FirstWrite);
    inBody<Stmt>([&](const Stmt* S) {
      if (isa<BreakStmt>(S) || isa<ReturnStmt>(S) || isa<GotoStmt>(S))
        fail("the loop may end early", S);
      if (isa<LambdaExpr>(S))
        fail("it has a lambda, whose effects aren't followed", S);
    });
    for (const Write& W : Same.writes())
      if (Body.isInside(W.Where, Repeated) && isOutside(W.Target) &&
          !W.Target->getType()->isArithmeticType() && !isModule(W.Target->getType()))
        fail("'" + W.Target->getNameAsString() + "' changes in it", W.Where);
    inBody<CallExpr>([&](const CallExpr* E) { checkCall(E); });
    return Found;
  }

private:
  template <typename Node, typename Callback> void inBody(Callback Do) const {
    Body.forEach<Node>([&](const Node* N) {
      if (Body.isInside(N, Repeated))
        Do(N);
    });
  }

  void fail(const std::string& Reason, Span Where) {
    if (!Found)
      Found = {Reason, std::move(Where)};
  }
  void fail(const std::string& Reason, const Stmt* S) {
    fail(Reason, Body.Src.pointAt(S->getBeginLoc()));
  }

  bool isOutside(const ValueDecl* D) const {
    return !Body.Src.span(For).contains(Body.Src.pointAt(D->getLocation()));
  }

  bool callsEval() const {
    unsigned Begin = Body.Src.pointAt(For->getBeginLoc()).Begin;
    bool Result = false;
    Body.forEach<CXXMemberCallExpr>([&](const CXXMemberCallExpr* E) {
      Result |= isMethodOf(E->getMethodDecl(), "torch::nn::Module", "eval") &&
                Body.Src.pointAt(E->getBeginLoc()).Begin < Begin;
    });
    return Result;
  }

  /// A value that is made here, also behind chained setters: `Options().reduction(…)`.
  static bool isTemporary(const Expr* E) {
    E = written(E);
    if (const auto* Call = dyn_cast<CXXMemberCallExpr>(E); Call && E->isGLValue())
      return isTemporary(Call->getImplicitObjectArgument());
    return isa<CXXConstructExpr>(E) || (isa<CallExpr>(E) && E->isPRValue());
  }

  /// A method that may change its object. Tensor's in-place methods are const, and end in an
  /// underscore.
  static bool mayChangeObject(const CXXMethodDecl* Method) {
    if (!Method || Method->isStatic())
      return false;
    if (isTensor(Method->getFunctionObjectParameterType()))
      return Method->getDeclName().isIdentifier() && Method->getName().ends_with("_");
    return !Method->isConst();
  }

  void checkCall(const CallExpr* E) {
    const FunctionDecl* Callee = E->getDirectCallee();
    if (!Callee)
      return fail("it calls through a pointer, whose effects aren't followed", E);
    const auto* Member = dyn_cast<CXXMemberCallExpr>(E);
    const auto* Operator = dyn_cast<CXXOperatorCallExpr>(E);
    const Expr* Object = Member ? Member->getImplicitObjectArgument()
                         : Operator && isa<CXXMethodDecl>(Callee) && E->getNumArgs() > 0
                             ? E->getArg(0)
                             : nullptr;
    if (Object && mayChangeObject(dyn_cast<CXXMethodDecl>(Callee))) {
      const ValueDecl* Root = rootOf(Object);
      bool Outside = Root ? isOutside(Root) : !isTemporary(Object);
      if (!isModule(Object->getType()) && Outside && !isReadOnlyAccess(Callee))
        return fail("a method that may change an object from outside is called in it", E);
    }
    if (writesOutput(E))
      fail("it prints or saves", E);
  }

  /// `operator[]`, `begin()` and the like: not const for what they hand out, but no change by
  /// themselves.
  static bool isReadOnlyAccess(const FunctionDecl* F) {
    if (F->isOverloadedOperator())
      return F->getOverloadedOperator() == OO_Subscript || F->getOverloadedOperator() == OO_Star ||
             F->getOverloadedOperator() == OO_Arrow;
    llvm::StringRef Name = F->getDeclName().isIdentifier() ? F->getName() : "";
    return Name == "begin" || Name == "end" || Name == "data" || Name == "at" || Name == "get" ||
           Name == "front" || Name == "back";
  }

  bool writesOutput(const CallExpr* E) const {
    const FunctionDecl* Callee = E->getDirectCallee();
    if (isNamed(Callee, "torch::save"))
      return true;
    if (Callee->isExternC() && Callee->getDeclName().isIdentifier() &&
        (Callee->getName().contains("print") || Callee->getName() == "puts" ||
         Callee->getName().contains("write")))
      return true;
    for (const Expr* Argument : E->arguments())
      if (const auto* Ref = dyn_cast<DeclRefExpr>(written(Argument));
          Ref && Ref->getDecl()->isInStdNamespace() && Ref->getDecl()->getName().starts_with("c") &&
          isa<VarDecl>(Ref->getDecl()))
        return true; // std::cout, std::cerr, std::clog
    return false;
  }

  const FunctionBody& Body;
  const Uniform& Same;
  const Stmt* For;
  const Stmt* Repeated;
  EvaluationObstacle Found;
};

} // namespace

EvaluationObstacle evaluationObstacle(const FunctionBody& Body, const Uniform& Same,
                                      const Stmt* For,
                                      const std::vector<Accumulator>& Accumulators) {
  return Prover(Body, Same, For).prove(Accumulators);
}

} // namespace accel_rewrite
