//===- Calls.cpp - Calls from one project function to another -------------===//
#include "discover/FunctionBody.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace accel_rewrite {

void discoverCalls(const FunctionBody& Body) {
  auto Add = [&](const Expr* E, const FunctionDecl* Callee, auto Arguments) {
    if (!Callee || !Body.Src.inProject(Callee->getLocation()))
      return;
    Call Fact;
    Fact.Caller = Body.Key;
    Fact.Callee = Source::key(Callee);
    Fact.Where = Body.Src.span(E);
    if (!Fact.Where.valid())
      Fact.Where = Body.Src.pointAt(E->getBeginLoc());
    for (const Expr* Argument : Arguments)
      Fact.Arguments.push_back({Body.Src.span(Argument), Body.Src.key(rootOf(Argument)),
                                plainVariable(Argument) != nullptr});
    Body.Out.Calls.push_back(std::move(Fact));
  };
  Body.forEach<CallExpr>([&](const CallExpr* E) {
    if (!isa<CXXOperatorCallExpr>(E))
      Add(E, E->getDirectCallee(), E->arguments());
  });
  Body.forEach<CXXConstructExpr>([&](const CXXConstructExpr* E) {
    if (!E->getConstructor()->isImplicit())
      Add(E, E->getConstructor(), E->arguments());
  });
}

} // namespace accel_rewrite
