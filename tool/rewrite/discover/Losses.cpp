//===- Losses.cpp - loss.backward() ---------------------------------------===//
#include "discover/FunctionBody.h"
#include "discover/LossForm.h"
#include "discover/Types.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtOpenMP.h"

using namespace clang;

namespace accel_rewrite {

static Span pointAtExpr(const FunctionBody& Body, const Expr* E) {
  return Body.Src.pointAt(E->getBeginLoc());
}

static std::string obstacle(const FunctionBody& Body, const Expr* E, const Backward& Fact) {
  if (E->getBeginLoc().isMacroID() || !Fact.Object.valid() || Fact.Whole.Begin == Fact.Whole.End)
    return "AR008";
  if (Body.enclosing<LambdaExpr>(E) || Body.enclosing<OMPExecutableDirective>(E))
    return "AR009";
  return "";
}

/// `torch::autograd::backward({loss})`: seen, so that no loop is passed over; not written in a form
/// that is converted.
static void discoverFreeBackward(const FunctionBody& Body, const CallExpr* E) {
  if (!isNamed(E->getDirectCallee(), "torch::autograd::backward"))
    return;
  Backward Fact;
  Fact.Function = Body.Key;
  Fact.Whole = pointAtExpr(Body, E);
  Fact.Obstacle = "AR011";
  Body.Out.Backwards.push_back(std::move(Fact));
}

void discoverBackwards(const FunctionBody& Body) {
  Body.forEach<CallExpr>([&](const CallExpr* E) { discoverFreeBackward(Body, E); });
  Body.forEach<CXXMemberCallExpr>([&](const CXXMemberCallExpr* E) {
    if (!isMethodOf(E->getMethodDecl(), "at::Tensor", "backward"))
      return;
    Backward Fact;
    Fact.Function = Body.Key;
    Fact.Whole = Body.Src.span(E);
    const Expr* Object = E->getImplicitObjectArgument();
    if (const auto* Paren = dyn_cast<ParenExpr>(Object->IgnoreImplicit()))
      Object = Paren->getSubExpr();
    Fact.Object = Body.Src.span(Object);
    if (!Fact.Whole.valid())
      Fact.Whole = pointAtExpr(Body, E);
    Fact.Loss = Body.Src.key(plainVariable(Object));
    Fact.HasArguments = E->getNumArgs() > 0 && !isa<CXXDefaultArgExpr>(E->getArg(0));
    FormOfLoss Form = lossForm(Body, Object);
    Fact.Form = Form.Form;
    Fact.FormAt = pointAtExpr(Body, Form.Where);
    Fact.Obstacle = obstacle(Body, E, Fact);
    Body.Out.Backwards.push_back(std::move(Fact));
  });
}

} // namespace accel_rewrite
