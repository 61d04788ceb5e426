//===- Placements.cpp - object.to(device) ---------------------------------===//
#include "discover/FunctionBody.h"
#include "discover/Types.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace accel_rewrite {

/// `kCPU` or a "cpu" somewhere in \p S.
static bool namesHost(const Stmt* S) {
  if (const auto* Ref = dyn_cast<DeclRefExpr>(S))
    return Ref->getDecl()->getDeclName().isIdentifier() &&
           (Ref->getDecl()->getName() == "kCPU" || Ref->getDecl()->getName() == "CPU");
  if (const auto* Literal = dyn_cast<StringLiteral>(S))
    return Literal->isOrdinary() && Literal->getString().starts_with("cpu");
  for (const Stmt* Child : S->children())
    if (Child && namesHost(Child))
      return true;
  return false;
}

/// Whether \p E names a device in the source: a variable, `torch::kCUDA`, `torch::Device(…)`. The
/// host by name (`kCPU`) doesn't count: moving something there is not placement for training.
static bool namesDevice(const Expr* E) {
  E = written(E);
  return (isDevice(E->getType()) || isDeviceType(E->getType())) && !namesHost(E);
}

/// The project's own variable that \p E is; null for `torch::kCUDA` and the like, which are
/// variables too.
static const ValueDecl* ownVariable(const FunctionBody& Body, const Expr* E) {
  const ValueDecl* D = plainVariable(E);
  return D && Body.Src.inProject(D->getLocation()) ? D : nullptr;
}

static Span suffixOf(const FunctionBody& Body, const CXXMemberCallExpr* E) {
  const auto* Member = dyn_cast<MemberExpr>(E->getCallee()->IgnoreParens());
  if (!Member || Member->getOperatorLoc().isInvalid())
    return {};
  return Body.Src.span(SourceRange(Member->getOperatorLoc(), E->getEndLoc()));
}

void discoverPlacements(const FunctionBody& Body) {
  Body.forEach<CXXMemberCallExpr>([&](const CXXMemberCallExpr* E) {
    const CXXMethodDecl* Method = E->getMethodDecl();
    bool OnModule = isMethodOf(Method, "torch::nn::Module", "to");
    if (!OnModule && !isMethodOf(Method, "at::Tensor", "to"))
      return;
    if (E->getNumArgs() == 0 || !namesDevice(E->getArg(0)))
      return;
    Placement Fact;
    Fact.Function = Body.Key;
    const Expr* Object = E->getImplicitObjectArgument();
    // The holder's operator-> is not written: `model` of `model->to`.
    if (const auto* Arrow = dyn_cast<CXXOperatorCallExpr>(written(Object));
        Arrow && Arrow->getOperator() == OO_Arrow)
      Object = Arrow->getArg(0);
    Fact.Whole = Body.Src.span(E);
    Fact.Object = Body.Src.span(Object);
    Fact.Suffix = suffixOf(Body, E);
    Fact.Argument = Body.Src.span(written(E->getArg(0)));
    Fact.Root = Body.Src.key(rootOf(Object));
    Fact.Device = Body.Src.key(ownVariable(Body, E->getArg(0)));
    Fact.OnModule = OnModule;
    Fact.ObjectIsPointer = Object->getType()->isPointerType();
    Fact.OnlyArgument = E->getNumArgs() == 1 || isa<CXXDefaultArgExpr>(E->getArg(1));
    if (const Stmt* S = Body.asStatement(E))
      Fact.Statement = Body.Src.statement(S);
    if (Fact.Whole.valid() && Fact.Object.valid() && Fact.Suffix.valid())
      Body.Out.Placements.push_back(std::move(Fact));
  });
}

} // namespace accel_rewrite
