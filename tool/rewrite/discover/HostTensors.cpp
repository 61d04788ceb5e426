//===- HostTensors.cpp - Tensors that are made on the host -----------------===//
#include "discover/FunctionBody.h"
#include "discover/Types.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace accel_rewrite {

/// A function of libtorch that makes a tensor out of no other.
static bool isFactory(const FunctionDecl* F) {
  return F && F->getDeclName().isIdentifier() && !isa<CXXMethodDecl>(F) &&
         isTensor(F->getReturnType()) &&
         llvm::StringSwitch<bool>(F->getName())
             .Cases("zeros", "ones", "full", "empty", "eye", "tensor", "from_blob", true)
             .Cases("rand", "randn", "randint", "normal", "arange", "linspace", "logspace", true)
             .Default(false);
}

/// Whether the options below \p S are those of a tensor or name a device.
static bool namesPlace(const Stmt* S) {
  if (const auto* Call = dyn_cast<CallExpr>(S))
    if (const FunctionDecl* Callee = Call->getDirectCallee();
        Callee && Callee->getDeclName().isIdentifier() &&
        (Callee->getName() == "device" || Callee->getName() == "options"))
      return true;
  if (const auto* Ref = dyn_cast<DeclRefExpr>(S))
    if (const CXXRecordDecl* Type = Ref->getType()->getAsCXXRecordDecl())
      return Type->getName() == "TensorOptions";
  for (const Stmt* Child : S->children())
    if (Child && namesPlace(Child))
      return true;
  return false;
}

void discoverHostTensors(const FunctionBody& Body) {
  Body.forEach<CallExpr>([&](const CallExpr* Call) {
    const FunctionDecl* Callee = Call->getDirectCallee();
    if (!isFactory(Callee) || Body.Src.inProject(Callee->getLocation()))
      return;
    for (const Expr* Argument : Call->arguments())
      if (namesPlace(Argument))
        return;
    Span Where = Body.Src.span(Call);
    if (Where.valid())
      Body.Out.HostTensors.push_back({Body.Key, Where});
  });
}

} // namespace accel_rewrite
