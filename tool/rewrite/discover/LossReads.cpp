//===- LossReads.cpp - loss.item() ----------------------------------------===//
#include "discover/FunctionBody.h"
#include "discover/Uniform.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace accel_rewrite {

/// Inside an assertion: a macro of that name, or a call that doesn't return. It need not agree
/// between processes, as failing ends the job.
static bool isChecked(const FunctionBody& Body, const Expr* E) {
  SourceLocation Loc = E->getExprLoc();
  const SourceManager& SM = Body.Src.ast().getSourceManager();
  while (Loc.isMacroID()) {
    StringRef Name = Lexer::getImmediateMacroName(Loc, SM, Body.Src.ast().getLangOpts());
    if (Name.contains_insensitive("assert") || Name.contains("CHECK"))
      return true;
    Loc = SM.getImmediateMacroCallerLoc(Loc);
  }
  return false;
}

void discoverLossReads(const FunctionBody& Body) {
  Uniform Same(Body);
  Body.forEach<CXXMemberCallExpr>([&](const CXXMemberCallExpr* E) {
    const Expr* Object = itemObject(E);
    if (!Object || !Same.isLoss(plainVariable(Object)))
      return;
    LossRead Fact;
    Fact.Function = Body.Key;
    Fact.Object = Body.Src.span(Object);
    Fact.Loss = Body.Src.key(plainVariable(Object));
    if (!Fact.Object.valid())
      return;
    for (const Write& W : Same.writes())
      if (W.How == Write::Kind::Add && W.Value && Body.isInside(E, W.Value)) {
        Fact.Use = LossRead::Use::Accumulate;
        Fact.Accumulator = Body.Src.key(W.Target);
      }
    if (isChecked(Body, E))
      Fact.Use = LossRead::Use::Check;
    if (const Expr* Guard = Same.differingGuard(E, Body.enclosing<CXXForRangeStmt>(E)))
      Fact.Guard = Body.Src.pointAt(Guard->getBeginLoc());
    Body.Out.LossReads.push_back(std::move(Fact));
  });
}

} // namespace accel_rewrite
