//===- Losses.cpp - loss.backward() ---------------------------------------===//
#include "discover/FunctionBody.h"
#include "discover/Lambdas.h"
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
  if (Body.enclosing<OMPExecutableDirective>(E))
    return "AR060";
  for (const auto* L = Body.enclosing<LambdaExpr>(E); L; L = Body.enclosing<LambdaExpr>(L))
    if (!isCalledHere(Body, L))
      return "AR009";
  return "";
}

static bool isEmptyBraces(const Expr* E) {
  E = E->IgnoreImplicit();
  if (const auto* List = dyn_cast<InitListExpr>(E))
    return List->getNumInits() == 0;
  const auto* Construct = dyn_cast<CXXConstructExpr>(E);
  return Construct && Construct->getNumArgs() == 0;
}

/// The arguments of `backward`, from number \p First on. `inputs` has no counterpart.
static bool describeArguments(const FunctionBody& Body, const CallExpr* E, unsigned First,
                              Backward& Fact) {
  for (unsigned I = First; I < E->getNumArgs(); ++I) {
    if (isa<CXXDefaultArgExpr>(E->getArg(I)))
      break;
    Fact.Arguments.push_back(Body.Src.span(E->getArg(I)));
    if (!Fact.Arguments.back().valid() || I - First > 2)
      return false;
  }
  Fact.EmptyGradient = !Fact.Arguments.empty() && isEmptyBraces(E->getArg(First));
  return true;
}

static void finish(const FunctionBody& Body, const Expr* E, FormOfLoss Form, Backward Fact) {
  if (!Fact.Whole.valid())
    Fact.Whole = pointAtExpr(Body, E);
  Fact.Form = Form.Form;
  Fact.FormAt = pointAtExpr(Body, Form.Where);
  if (std::string Found = obstacle(Body, E, Fact); !Found.empty())
    Fact.Obstacle = Found;
  Body.Out.Backwards.push_back(std::move(Fact));
}

/// The losses written in `torch::autograd::backward({a, b})`; none where they are in a variable.
static std::vector<const Expr*> listedLosses(const Expr* E) {
  E = E->IgnoreImplicit();
  while (const auto* Construct = dyn_cast<CXXConstructExpr>(E)) {
    if (Construct->getNumArgs() == 0)
      return {};
    E = Construct->getArg(0)->IgnoreImplicit();
    if (const auto* Standard = dyn_cast<CXXStdInitializerListExpr>(E))
      E = Standard->getSubExpr()->IgnoreImplicit();
  }
  const auto* List = dyn_cast<InitListExpr>(E);
  return List ? std::vector<const Expr*>(List->inits().begin(), List->inits().end())
              : std::vector<const Expr*>();
}

static void discoverFreeBackward(const FunctionBody& Body, const CallExpr* E) {
  if (!isNamed(E->getDirectCallee(), "torch::autograd::backward") || E->getNumArgs() == 0)
    return;
  std::vector<const Expr*> Losses = listedLosses(E->getArg(0));
  FormOfLoss Form{LossForm::Unknown, E->getArg(0)};
  for (size_t I = 0; I < Losses.size(); ++I) {
    FormOfLoss One = lossForm(Body, Losses[I]);
    Form = I == 0 || One.Form == Form.Form ? One : FormOfLoss{LossForm::Unknown, Losses[I]};
  }
  Backward Fact;
  Fact.Function = Body.Key;
  Fact.Whole = Body.Src.span(E);
  Fact.Object = Body.Src.span(Losses.size() == 1 ? Losses.front() : E->getArg(0));
  Fact.Free = true;
  if (!describeArguments(Body, E, 1, Fact) || !Fact.Arguments.empty())
    Fact.Obstacle = "AR011";
  finish(Body, E, Form, std::move(Fact));
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
    Fact.Loss = Body.Src.key(plainVariable(Object));
    if (!describeArguments(Body, E, 0, Fact))
      Fact.Obstacle = "AR011";
    FormOfLoss Form = lossForm(Body, Object);
    if (!Fact.Arguments.empty() && !Fact.EmptyGradient)
      Form = {LossForm::Unknown, E->getArg(0)}; // the gradient given decides
    finish(Body, E, Form, std::move(Fact));
  });
}

} // namespace accel_rewrite
