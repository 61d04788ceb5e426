//===- Loaders.cpp - Data loaders, and the uses of them that are understood ==//
#include "discover/FunctionBody.h"
#include "discover/LoopShape.h"
#include "discover/Types.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/TypeLoc.h"

using namespace clang;

namespace accel_rewrite {

static bool isAutoWritten(const VarDecl* Var) {
  // In an instantiation the type is substituted: ask the pattern's spelling.
  if (const VarDecl* Pattern = Var->getTemplateInstantiationPattern())
    Var = Pattern;
  return Var->getTypeSourceInfo()->getType()->getContainedAutoType() != nullptr;
}

static void describeLoader(const FunctionBody& Body, const VarDecl* Var) {
  const auto* Call = dyn_cast_or_null<CallExpr>(Var->getInit() ? written(Var->getInit()) : nullptr);
  if (!Call || !isNamed(Call->getDirectCallee(), "torch::data::make_data_loader"))
    return;
  const auto* Callee = dyn_cast<DeclRefExpr>(Call->getCallee()->IgnoreParenImpCasts());
  LoaderVariable Fact;
  Fact.Key = Body.Src.key(Var);
  Fact.Name = Var->getNameAsString();
  Fact.Function = Body.Key;
  Fact.NameSpan = Body.Src.span(Var->getLocation());
  if (Callee)
    Fact.Callee =
        Body.Src.span(SourceRange(Callee->getBeginLoc(), Callee->getNameInfo().getEndLoc()));
  Fact.TypeDeduced = isAutoWritten(Var);
  const auto* Class = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      pointee(Call->getType())->getAsCXXRecordDecl());
  Fact.Stateful = Class && Class->getName() == "StatefulDataLoader";
  if (Class && Class->getTemplateArgs().size() > 1)
    if (const CXXRecordDecl* Sampler =
            Class->getTemplateArgs()[1].getAsType()->getAsCXXRecordDecl())
      Fact.Sampler = Sampler->getNameAsString();
  if (Fact.NameSpan.valid())
    Body.Out.Loaders.push_back(std::move(Fact));
}

/// Whether \p E is the `loader->begin()` or `loader->end()` of a loop over the loader.
static bool boundsLoop(const FunctionBody& Body, const CXXMemberCallExpr* E) {
  if (!isMethodOf(E->getMethodDecl(), "torch::data::DataLoaderBase", "begin") &&
      !isMethodOf(E->getMethodDecl(), "torch::data::DataLoaderBase", "end"))
    return false;
  const auto* For = Body.enclosing<ForStmt>(E);
  return loaderIterator(For) && !Body.isInside(E, For->getBody());
}

/// Whether \p Ref is the range of a range-for, possibly behind `*`, or an argument of a function.
static bool isUnderstood(const FunctionBody& Body, const DeclRefExpr* Ref) {
  const Stmt* S = Ref;
  for (const Stmt* Up = Body.parent(S); Up; S = Up, Up = Body.parent(Up)) {
    if (const auto* Operator = dyn_cast<CXXOperatorCallExpr>(Up);
        Operator && (Operator->getOperator() == OO_Star || Operator->getOperator() == OO_Arrow))
      continue;
    if (isa<MemberExpr>(Up) || isa<MaterializeTemporaryExpr>(Up))
      continue;
    if (const auto* Method = dyn_cast<CXXMemberCallExpr>(Up); Method && boundsLoop(Body, Method))
      return true;
    if (isa<ImplicitCastExpr>(Up) || isa<ParenExpr>(Up) || isa<UnaryOperator>(Up))
      continue;
    if (const auto* Construct = dyn_cast<CXXConstructExpr>(Up);
        Construct && Construct->getNumArgs() == 1)
      continue; // std::move into a parameter
    if (const auto* Call = dyn_cast<CallExpr>(Up)) {
      if (Call->isCallToStdMove())
        continue;
      return !isa<CXXMemberCallExpr>(Up) && !isa<CXXOperatorCallExpr>(Up) &&
             Call->getDirectCallee() && Body.Src.inProject(Call->getDirectCallee()->getLocation());
    }
    if (const auto* Statement = dyn_cast<DeclStmt>(Up)) {
      // The hidden variable that a range-for makes for its range.
      const auto* Var =
          Statement->isSingleDecl() ? dyn_cast<VarDecl>(Statement->getSingleDecl()) : nullptr;
      return Var && Var->isImplicit();
    }
    return isa<CXXForRangeStmt>(Up);
  }
  return false;
}

void discoverLoaders(const FunctionBody& Body) {
  Body.forEachVariable([&](const VarDecl* Var, const DeclStmt*) { describeLoader(Body, Var); });
  Body.forEach<DeclRefExpr>([&](const DeclRefExpr* Ref) {
    const auto* Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (Var && !Var->isImplicit() && isDataLoader(Var->getType()) && !isUnderstood(Body, Ref))
      Body.Out.OpaqueUses.push_back({Body.Src.key(Var), Body.Src.pointAt(Ref->getLocation())});
  });
}

} // namespace accel_rewrite
