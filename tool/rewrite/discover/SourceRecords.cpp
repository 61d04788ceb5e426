//===- SourceRecords.cpp - What is known of a source of rows --------------===//
#include "discover/Fills.h"
#include "discover/Mentions.h"
#include "discover/Sources.h"
#include "discover/States.h"
#include "discover/TensorTypes.h"
#include "discover/Types.h"
#include "discover/Values.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace accel_rewrite {

void SourceReader::made(const Expr* E, bool Created) {
  BatchSource Source;
  Source.What = BatchSource::Kind::Made;
  Source.Where = Body.Src.span(E);
  Source.Created = Created;
  if (Created)
    Source.SizedBy = sizedBy(E);
  std::set<const ValueDecl*> Seen;
  addOperands(E, Seen, Source.Operands);
  if (!Source.Where.valid())
    return unknown(E, "it is written in a macro");
  Out.push_back(std::move(Source));
}

void SourceReader::addOperands(const Expr* E, std::set<const ValueDecl*>& Seen,
                               std::vector<Span>& Into) const {
  E = written(E);
  if (const auto* Ref = dyn_cast<DeclRefExpr>(E)) {
    const ValueDecl* D = Ref->getDecl();
    if (const auto* Binding = dyn_cast<BindingDecl>(D))
      D = cast<ValueDecl>(Binding->getDecomposedDecl());
    if (!isInScope(D) || !Seen.insert(D).second)
      return;
    for (const auto& Values : {valuesOf(Body, Writes, D), elementsOf(Body, D)})
      for (const Expr* Value : Values) {
        Into.push_back(Body.Src.span(Value));
        addOperands(Value, Seen, Into);
      }
    return;
  }
  for (const Stmt* Child : E->children())
    if (const auto* Part = dyn_cast_or_null<Expr>(Child))
      addOperands(Part, Seen, Into);
}

void SourceReader::unknown(const Expr* E, std::string Reason, const char* Code) {
  BatchSource Source;
  Source.Code = Code;
  Source.Where = Body.Src.span(E);
  if (!Source.Where.valid())
    Source.Where = Body.Src.pointAt(E->getBeginLoc());
  Source.Reason = std::move(Reason);
  Out.push_back(std::move(Source));
}

void SourceReader::outside(const Expr* Mention, const ValueDecl* D) {
  // `for (auto& row : batch)` in the step
  if (const Expr* Range = rangeOf(Body, D))
    if (const ValueDecl* Whole = rootOf(Range); Whole && isInScope(Whole))
      return unknown(Mention, "it is a single row");
  BatchSource Source;
  Source.What = BatchSource::Kind::Variable;
  Source.Where = Body.Src.span(Mention);
  Source.Variable = Body.Src.key(D);
  Source.Name = Body.Src.text(Mention);
  Source.Handed = isa<ParmVarDecl>(D) || !isa<DeclRefExpr>(Mention) || isa<BindingDecl>(D) ||
                  isLoopVariable(Body, D);
  Source.HandedOnAt = handedOnAt(D);
  if (!Source.Where.valid() || !isTensor(Mention->getType())) {
    unknown(Mention, "it is no tensor that is divided by itself");
    Out.back().HandedOnAt = Source.HandedOnAt;
    return;
  }
  Span Whole = filledUntil(Mention, Source);
  if (Whole.valid() && touchesModel(Mention))
    return unknown(Mention, "rows of what the model computed are written one by one");
  if (Whole.valid() && Source.Where.Begin < Whole.End)
    return unknown(Mention, "it is filled by parts, and this reads it before the last of them");
  addMentions(Mention, Whole, Source);
  bool IsLocal = Whole.valid() && isInScope(D);
  for (const Write& W : Writes) {
    bool Assigned = W.How != Write::Kind::Other || valueOfTie(Body, W.Where);
    if (W.Target != D || !Assigned || !Body.isInside(W.Where, Scope))
      continue;
    Span At = Body.Src.pointAt(W.Where->getBeginLoc());
    if (!IsLocal)
      Source.ChangedAt = At;
    else if (At.Begin >= Whole.End)
      return unknown(W.Where, "it is filled by parts, and then changed as a whole");
  }
  if (Source.ChangedAt.valid() && handsOn(D))
    Source.Starts = stateStarts(Body, Writes, D, Scope);
  Out.push_back(std::move(Source));
}

/// The last place where the step writes to the tensor in place. Until then all processes need all
/// of its rows. What is written must be whole, too.
Span SourceReader::filledUntil(const Expr* Mention, BatchSource& Source) const {
  Span Last;
  for (const InPlaceWrite& W : inPlaceWrites(Body, Mention, Scope)) {
    Span At = Body.Src.span(W.Where);
    if (!At.valid())
      At = Body.Src.pointAt(W.Where->getExprLoc());
    if (!Last.valid() || At.End > Last.End)
      Last = At;
    std::set<const ValueDecl*> Seen;
    Source.Operands.push_back(At);
    addOperands(W.Where, Seen, Source.Operands);
    Source.Handed = true;
  }
  return Last;
}

/// Where the step reads the variable, after the last of its rows was written.
void SourceReader::addMentions(const Expr* Mention, const Span& Whole, BatchSource& Source) const {
  Body.forEach<Expr>([&](const Expr* E) {
    if (!Body.isInside(E, Scope) || !isSameThing(E, Mention))
      return;
    Span At = Body.Src.span(E);
    if (Whole.valid() && At.Begin < Whole.End)
      return;
    if (isWritten(Body, E)) {
      if (!Source.ChangedAt.valid())
        Source.ChangedAt = Body.Src.pointAt(E->getExprLoc());
    } else if (Body.Src.text(At) == Source.Name && isReadForRows(Body, E)) {
      Source.Mentions.push_back(At);
    }
  });
}

/// Where a step puts what a model computed into \p D; invalid where none does.
Span SourceReader::handedOnAt(const ValueDecl* D) {
  for (const Write& W : Writes) {
    const Expr* Value = W.Value ? W.Value : valueOfTie(Body, W.Where);
    if (W.Target == D && Value && Body.isInside(W.Where, Scope) && touchesModel(Value))
      return Body.Src.pointAt(W.Where->getBeginLoc());
  }
  return {};
}

/// Whether steps hand \p D on with what a model made of it: `std::tie(out, h) = model(x, h)`.
bool SourceReader::handsOn(const ValueDecl* D) {
  return std::all_of(Writes.begin(), Writes.end(), [&](const Write& W) {
    if (W.Target != D || !Body.isInside(W.Where, Scope))
      return true;
    const Expr* Value = W.Value ? W.Value : valueOfTie(Body, W.Where);
    return Value && touchesModel(Value);
  });
}

/// The tensor whose first dimension gives the number of rows that \p E makes; empty where it is a
/// number of the program's.
DeclKey SourceReader::sizedBy(const Expr* E, unsigned Depth) const {
  E = written(E);
  if (const auto* Size = dyn_cast<CXXMemberCallExpr>(E);
      Size && Size->getMethodDecl() &&
      isTensor(written(Size->getImplicitObjectArgument())->getType()) &&
      Size->getMethodDecl()->getDeclName().isIdentifier() &&
      Size->getMethodDecl()->getName().starts_with("size"))
    return Body.Src.key(rootOf(Size->getImplicitObjectArgument()));
  if (const ValueDecl* D = plainVariable(E); D && D->getType()->isIntegralOrEnumerationType()) {
    bool Counted = Depth < 4 && isInScope(D);
    for (const Expr* Value : Counted ? valuesOf(Body, Writes, D) : std::vector<const Expr*>())
      if (DeclKey Key = sizedBy(Value, Depth + 1); !Key.empty())
        return Key;
    return {};
  }
  for (const Stmt* Child : E->children())
    if (const auto* Part = dyn_cast_or_null<Expr>(Child))
      if (DeclKey Key = sizedBy(Part, Depth); !Key.empty())
        return Key;
  return {};
}

} // namespace accel_rewrite
