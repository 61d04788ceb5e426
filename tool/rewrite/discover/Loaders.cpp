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

/// What keeps a loader: the variable or field \p Variable, or the function that returns it.
struct Holder {
  const ValueDecl* Variable = nullptr;
  bool Returned = false;
};

/// The field that \p S initialises, in a constructor's initialisers.
static Holder initializedBy(const FunctionBody& Body, const Stmt* S) {
  if (const auto* Constructor = dyn_cast<CXXConstructorDecl>(Body.Decl))
    for (const CXXCtorInitializer* Initializer : Constructor->inits())
      if (Initializer->getInit() == S)
        return {Initializer->getMember(), false};
  return {};
}

/// Looks from the call that makes a loader out of casts, temporaries and std::move.
static Holder holderOf(const FunctionBody& Body, const Expr* Made) {
  const Stmt* S = Made;
  for (const Stmt* Up = Body.parent(S); Up; S = Up, Up = Body.parent(Up)) {
    if (isa<ReturnStmt>(Up))
      return {nullptr, !Body.enclosing<LambdaExpr>(Made)};
    if (const auto* Statement = dyn_cast<DeclStmt>(Up)) {
      for (const Decl* D : Statement->decls())
        if (const auto* Var = dyn_cast<VarDecl>(D);
            Var && Var->getInit() && Body.isInside(Made, Var->getInit()))
          return {Var, false};
      return {};
    }
    const auto* Operator = dyn_cast<CXXOperatorCallExpr>(Up);
    if (Operator && Operator->getOperator() == OO_Equal)
      return {rootOf(Operator->getArg(0)), false};
    const auto* Construct = dyn_cast<CXXConstructExpr>(Up);
    const auto* Call = dyn_cast<CallExpr>(Up);
    bool Through = isa<CastExpr>(Up) || isa<ExprWithCleanups>(Up) || isa<ParenExpr>(Up) ||
                   isa<MaterializeTemporaryExpr>(Up) || isa<CXXBindTemporaryExpr>(Up) ||
                   (Construct && Construct->getNumArgs() == 1) || (Call && Call->isCallToStdMove());
    if (!Through)
      return {};
  }
  return initializedBy(Body, S);
}

static void describeLoader(const FunctionBody& Body, const CallExpr* Call) {
  if (!isNamed(Call->getDirectCallee(), "torch::data::make_data_loader"))
    return;
  Holder Keeps = holderOf(Body, Call);
  const auto* Callee = dyn_cast<DeclRefExpr>(Call->getCallee()->IgnoreParenImpCasts());
  if (!Callee || (!Keeps.Variable && !Keeps.Returned))
    return;
  LoaderVariable Fact;
  Fact.Function = Body.Key;
  Fact.Callee =
      Body.Src.span(SourceRange(Callee->getBeginLoc(), Callee->getNameInfo().getEndLoc()));
  const auto* Var = dyn_cast_or_null<VarDecl>(Keeps.Variable);
  bool Declared = Var && Var->getInit() && Body.isInside(Call, Var->getInit());
  Fact.Key = Keeps.Returned ? returned(Body.Key) : Body.Src.key(Keeps.Variable);
  Fact.Name = Keeps.Returned ? Body.Decl->getNameAsString() : Keeps.Variable->getNameAsString();
  Fact.NameSpan = Declared ? Body.Src.span(Var->getLocation()) : Fact.Callee;
  Fact.TypeDeduced = Keeps.Returned
                         ? Body.Decl->getDeclaredReturnType()->getContainedAutoType() != nullptr
                         : Var && isAutoWritten(Var);
  const auto* Class = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      pointee(Call->getType())->getAsCXXRecordDecl());
  Fact.Stateful = Class && Class->getName() == "StatefulDataLoader";
  Fact.Sampler = samplerOf(Call->getType()).str();
  if (Fact.NameSpan.valid())
    Body.Out.Loaders.push_back(std::move(Fact));
}

/// `auto loader = make_loader(…)` of a function of the project, `auto& loader = *other`.
static void describeAlias(const FunctionBody& Body, const VarDecl* Var) {
  if (Var->isImplicit() || !Var->getInit() || !isDataLoader(Var->getType()))
    return;
  const Expr* Value = written(Var->getInit());
  Alias Fact;
  Fact.Variable = Body.Src.key(Var);
  Fact.Where = Body.Src.pointAt(Var->getLocation());
  if (const auto* Call = dyn_cast<CallExpr>(Value);
      Call && Call->getDirectCallee() && !isa<CXXOperatorCallExpr>(Call) &&
      Body.Src.inProject(Call->getDirectCallee()->getLocation()))
    Fact.Of = returned(Source::key(Call->getDirectCallee()));
  else if (Var->getType()->isReferenceType())
    Fact.Of = Body.Src.key(rootOf(Value));
  if (!Fact.Of.empty())
    Body.Out.Aliases.push_back(std::move(Fact));
}

/// What a virtual function returns is what those that override it return.
static void describeOverride(const FunctionBody& Body) {
  const auto* Method = dyn_cast<CXXMethodDecl>(Body.Decl);
  if (!Method || !isDataLoader(Method->getReturnType()))
    return;
  for (const CXXMethodDecl* Base : Method->overridden_methods())
    Body.Out.Aliases.push_back(
        {returned(Source::key(Base)), Body.Src.pointAt(Method->getLocation()), returned(Body.Key)});
}

/// Whether \p E is the `loader->begin()` or `loader->end()` of a loop over the loader.
static bool boundsLoop(const FunctionBody& Body, const CXXMemberCallExpr* E) {
  if (!isMethodOf(E->getMethodDecl(), "torch::data::DataLoaderBase", "begin") &&
      !isMethodOf(E->getMethodDecl(), "torch::data::DataLoaderBase", "end"))
    return false;
  const auto* For = Body.enclosing<ForStmt>(E);
  return loaderIterator(For) && !Body.isInside(E, For->getBody());
}

/// Whether \p Ref, a loader, is the range of a range-for, possibly behind `*`, an argument of a
/// function, or assigned to.
static bool isUnderstood(const FunctionBody& Body, const Expr* Ref) {
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
    if (const auto* Operator = dyn_cast<CXXOperatorCallExpr>(Up);
        Operator && Operator->getOperator() == OO_Equal)
      return Operator->getArg(0) == S;
    if (const auto* Call = dyn_cast<CallExpr>(Up)) {
      if (Call->isCallToStdMove())
        continue;
      return !isa<CXXMemberCallExpr>(Up) && !isa<CXXOperatorCallExpr>(Up) &&
             Call->getDirectCallee() && Body.Src.inProject(Call->getDirectCallee()->getLocation());
    }
    if (const auto* Statement = dyn_cast<DeclStmt>(Up)) {
      // The hidden variable that a range-for makes for its range, or an alias.
      const auto* Var =
          Statement->isSingleDecl() ? dyn_cast<VarDecl>(Statement->getSingleDecl()) : nullptr;
      return Var && (Var->isImplicit() || Var->getType()->isReferenceType());
    }
    return isa<CXXForRangeStmt>(Up);
  }
  return false;
}

void discoverLoaders(const FunctionBody& Body) {
  Body.forEach<CallExpr>([&](const CallExpr* Call) { describeLoader(Body, Call); });
  Body.forEachVariable([&](const VarDecl* Var, const DeclStmt*) { describeAlias(Body, Var); });
  describeOverride(Body);
  Body.forEach<DeclRefExpr>([&](const DeclRefExpr* Ref) {
    const auto* Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (Var && !Var->isImplicit() && isDataLoader(Var->getType()) && !isUnderstood(Body, Ref))
      Body.Out.OpaqueUses.push_back({Body.Src.key(Var), Body.Src.pointAt(Ref->getLocation())});
  });
  Body.forEach<MemberExpr>([&](const MemberExpr* E) {
    const auto* Field = dyn_cast<FieldDecl>(E->getMemberDecl());
    if (Field && Body.Src.inProject(Field->getLocation()) && isDataLoader(Field->getType()) &&
        !isUnderstood(Body, E))
      Body.Out.OpaqueUses.push_back({Body.Src.key(Field), Body.Src.pointAt(E->getExprLoc())});
  });
}

} // namespace accel_rewrite
