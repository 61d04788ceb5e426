//===- Batches.cpp - Which rows each backward's loss is made of -----------===//
#include "discover/LoopShape.h"
#include "discover/Sources.h"
#include "discover/TensorTypes.h"
#include "discover/Types.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace accel_rewrite {

static void describeSources(const FunctionBody& Body, const std::vector<Write>& Writes,
                            const CXXMemberCallExpr* Backward) {
  Span Place = Body.Src.span(Backward);
  auto Describe = [&](const Stmt* Scope, Span Where) {
    BatchSources Fact;
    Fact.Function = Body.Key;
    Fact.Backward = Place;
    Fact.Scope = std::move(Where);
    Fact.Sources = SourceReader(Body, Writes, Scope).read(Backward->getImplicitObjectArgument());
    Body.Out.Batches.push_back(std::move(Fact));
  };
  if (!Place.valid())
    return;
  for (const Stmt* Up = Body.parent(Backward); Up; Up = Body.parent(Up))
    if (loopBody(Up))
      Describe(Up, Body.Src.statement(Up));
  Describe(Body.Decl->getBody(), Body.Src.span(Body.Decl->getBody()));
}

void discoverBatches(const FunctionBody& Body) {
  std::vector<Write> Writes = writesIn(Body);
  Body.forEach<CXXMemberCallExpr>([&](const CXXMemberCallExpr* E) {
    if (isMethodOf(E->getMethodDecl(), "at::Tensor", "backward"))
      describeSources(Body, Writes, E);
    else if (E->getMethodDecl() && E->getImplicitObjectArgument() &&
             isTensor(E->getImplicitObjectArgument()->getType()))
      if (const Expr* Rows = fixedRows(Body, E))
        Body.Out.FixedShapes.push_back({Body.Key, Body.Src.pointAt(Rows->getBeginLoc())});
  });
}

} // namespace accel_rewrite
