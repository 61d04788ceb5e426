//===- Steps.cpp - optimizer.step(), and what rules data parallelism out --===//
#include "discover/FunctionBody.h"
#include "discover/Lambdas.h"
#include "discover/Types.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace accel_rewrite {

/// A library that already distributes the program's work; empty for any other function.
static llvm::StringRef distributionLibrary(const FunctionDecl* F) {
  if (!F || !F->getDeclName().isIdentifier())
    return {};
  llvm::StringRef Name = F->getName();
  if (Name.starts_with("MPI_"))
    return "MPI";
  if (Name.starts_with("nccl") && Name.size() > 4 && isUppercase(Name[4]))
    return "NCCL";
  for (const DeclContext* Context = F->getDeclContext(); Context; Context = Context->getParent())
    if (const auto* Namespace = dyn_cast<NamespaceDecl>(Context);
        Namespace && Namespace->getName() == "c10d")
      return "c10d";
  return isNamed(F, "torch::nn::parallel::data_parallel") ? "data_parallel" : llvm::StringRef();
}

static void reportDistribution(const FunctionBody& Body) {
  auto Look = [&](const Expr* E, const FunctionDecl* Callee) {
    llvm::StringRef Library = distributionLibrary(Callee);
    if (!Library.empty())
      Body.Out.Undescribeds.push_back(
          {"AR010", Body.Src.pointAt(E->getBeginLoc()),
           "the program already distributes its work with " + Library.str(),
           "take that out, or leave the program as it is"});
  };
  Body.forEach<CallExpr>([&](const CallExpr* E) { Look(E, E->getDirectCallee()); });
  Body.forEach<CXXConstructExpr>([&](const CXXConstructExpr* E) { Look(E, E->getConstructor()); });
}

static void discoverClip(const FunctionBody& Body, const CallExpr* E) {
  const FunctionDecl* Callee = E->getDirectCallee();
  const auto* Ref = dyn_cast<DeclRefExpr>(E->getCallee()->IgnoreParenImpCasts());
  if (!Ref || !(isNamed(Callee, "torch::nn::utils::clip_grad_norm_") ||
                isNamed(Callee, "torch::nn::utils::clip_grad_value_")))
    return;
  Span Name = Body.Src.span(SourceRange(Ref->getBeginLoc(), Ref->getNameInfo().getEndLoc()));
  if (Name.valid())
    Body.Out.Clips.push_back({Body.Key, Name, Callee->getName().str()});
}

void discoverSteps(const FunctionBody& Body) {
  reportDistribution(Body);
  Body.forEach<CXXMemberCallExpr>([&](const CXXMemberCallExpr* E) {
    if (!isMethodOf(E->getMethodDecl(), "torch::optim::Optimizer", "step"))
      return;
    Step Fact;
    Fact.Function = Body.Key;
    Fact.Where = Body.Src.span(E);
    if (!Fact.Where.valid())
      Fact.Where = Body.Src.pointAt(E->getExprLoc());
    Fact.Optimizer = Body.Src.key(rootOf(E->getImplicitObjectArgument()));
    Fact.HasOpaqueClosure =
        E->getNumArgs() > 0 && !isa<CXXDefaultArgExpr>(E->getArg(0)) && !lambdaOf(E->getArg(0));
    Body.Out.Steps.push_back(std::move(Fact));
  });
  Body.forEach<CallExpr>([&](const CallExpr* E) { discoverClip(Body, E); });
}

} // namespace accel_rewrite
