//===- Outputs.cpp - What is printed and saved ----------------------------===//
#include "discover/FunctionBody.h"
#include "discover/Types.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace accel_rewrite {

static bool isPathLike(QualType T) {
  T = T.getNonReferenceType();
  if (T->isPointerType() || T->isArrayType())
    return true;
  const CXXRecordDecl* Record = T->getAsCXXRecordDecl();
  return Record && Record->getName() == "basic_string";
}

void discoverOutputs(const FunctionBody& Body) {
  auto Add = [&](Output::Kind Kind, SourceRange Token) {
    Span Where = Body.Src.span(Token);
    if (Where.valid())
      Body.Out.Outputs.push_back({Body.Key, Kind, Where});
  };
  Body.forEach<DeclRefExpr>([&](const DeclRefExpr* Ref) {
    if (Ref->getDecl()->isInStdNamespace() && isa<VarDecl>(Ref->getDecl()) &&
        Ref->getDecl()->getName() == "cout")
      Add(Output::Kind::Cout, Ref->getSourceRange());
  });
  Body.forEach<CallExpr>([&](const CallExpr* Call) {
    const FunctionDecl* Callee = Call->getDirectCallee();
    const auto* Ref = dyn_cast<DeclRefExpr>(Call->getCallee()->IgnoreParenImpCasts());
    if (!Callee || !Ref || !Callee->getDeclName().isIdentifier())
      return;
    SourceRange Name(Ref->getBeginLoc(), Ref->getNameInfo().getEndLoc());
    if (Callee->isExternC() && Callee->getName() == "printf")
      Add(Output::Kind::Printf, Name);
    else if (isNamed(Callee, "torch::save") && Call->getNumArgs() > 1)
      Add(isPathLike(written(Call->getArg(1))->getType()) ? Output::Kind::Save
                                                          : Output::Kind::SaveToStream,
          Name);
  });
}

} // namespace accel_rewrite
