//===- BatchReads.cpp - loss.item(), and other numbers off a batch --------===//
#include "discover/FunctionBody.h"
#include "discover/Types.h"
#include "discover/Uniform.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace accel_rewrite {

namespace {

/// Inside an assertion, a macro of that name. It need not agree between processes, as failing ends
/// the job.
bool isChecked(const FunctionBody& Body, const Expr* E) {
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

/// An operand of `stream << …` or an argument of printf.
bool isPrinted(const FunctionBody& Body, const Expr* E) {
  for (const Stmt* Up = Body.parent(E); Up && isa<Expr>(Up); Up = Body.parent(Up)) {
    if (const auto* Operator = dyn_cast<CXXOperatorCallExpr>(Up);
        Operator && Operator->getOperator() == OO_LessLess)
      return true;
    const auto* Call = dyn_cast<CallExpr>(Up);
    const FunctionDecl* Callee = Call ? Call->getDirectCallee() : nullptr;
    if (Callee && Callee->getDeclName().isIdentifier() && Callee->getName().ends_with("printf"))
      return true;
  }
  return false;
}

std::optional<BatchRead::Of> kindOf(const FunctionBody& Body, const Uniform& Same,
                                    const CXXMemberCallExpr* E) {
  if (const Expr* Object = itemObject(E))
    return Same.isLoss(plainVariable(Object)) ? BatchRead::Of::Loss : BatchRead::Of::Value;
  if (isMethodOf(E->getMethodDecl(), "at::TensorBase", "size") && isPrinted(Body, E))
    return BatchRead::Of::Rows;
  return std::nullopt;
}

} // namespace

void discoverBatchReads(const FunctionBody& Body) {
  Uniform Same(Body);
  Body.forEach<CXXMemberCallExpr>([&](const CXXMemberCallExpr* E) {
    std::optional<BatchRead::Of> Kind = kindOf(Body, Same, E);
    if (!Kind)
      return;
    const Expr* Object = E->getImplicitObjectArgument();
    BatchRead Fact;
    Fact.Function = Body.Key;
    Fact.What = *Kind;
    Fact.Object = Body.Src.span(Object);
    if (Fact.What == BatchRead::Of::Loss)
      Fact.Loss = Body.Src.key(plainVariable(Object));
    if (Fact.What != BatchRead::Of::Rows)
      Fact.Form = Same.isMean(Object) ? LossForm::Mean : LossForm::Unknown;
    if (!Fact.Object.valid())
      return;
    for (const Write& W : Same.writes())
      if (W.How == Write::Kind::Add && W.Value && Body.isInside(E, W.Value)) {
        Fact.Use = BatchRead::Use::Accumulate;
        Fact.Accumulator = Body.Src.key(W.Target);
      }
    if (isChecked(Body, E))
      Fact.Use = BatchRead::Use::Check;
    if (const Expr* Guard = Same.differingGuard(E, Body.enclosing<CXXForRangeStmt>(E)))
      Fact.Guard = Body.Src.pointAt(Guard->getBeginLoc());
    Body.Out.BatchReads.push_back(std::move(Fact));
  });
}

} // namespace accel_rewrite
