//===- Names.cpp - The names that the rewritten code needs ----------------===//
#include "discover/FunctionBody.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace accel_rewrite {

namespace {

bool isOurs(StringRef Name) {
  return Name == "accelerator" || Name == "accel";
}

/// The runtime's own namespace, in a file that includes it already.
bool isRuntime(const NamedDecl* D) {
  const auto* Namespace = dyn_cast<NamespaceDecl>(D);
  return Namespace && !Namespace->lookup(&D->getASTContext().Idents.get("Accelerator")).empty();
}

const NamedDecl* declaredIn(const DeclContext* Context, DeclarationName Name) {
  for (const NamedDecl* D : Context->lookup(Name))
    if (!isRuntime(D))
      return D;
  const auto* Record = dyn_cast<CXXRecordDecl>(Context);
  if (!Record || !Record->hasDefinition())
    return nullptr;
  for (const CXXBaseSpecifier& Base : Record->bases())
    if (const CXXRecordDecl* Class = Base.getType()->getAsCXXRecordDecl())
      if (const NamedDecl* D = declaredIn(Class, Name))
        return D;
  return nullptr;
}

/// What a namespace or class around \p Inner, or one that such a namespace uses, calls \p Name.
const NamedDecl* declaredAround(const DeclContext* Inner, DeclarationName Name) {
  for (const DeclContext* Context = Inner; Context; Context = Context->getLookupParent()) {
    if (isa<FunctionDecl>(Context) || isa<LinkageSpecDecl>(Context))
      continue;
    if (const NamedDecl* D = declaredIn(Context, Name))
      return D;
    for (const UsingDirectiveDecl* Using : Context->using_directives())
      if (const NamedDecl* D = declaredIn(Using->getNominatedNamespace(), Name))
        return D;
  }
  return nullptr;
}

const NamedDecl* declaredInside(const FunctionBody& Body) {
  auto Named = [](const NamedDecl* D) {
    return D && D->getDeclName().isIdentifier() && isOurs(D->getName());
  };
  for (const ParmVarDecl* Param : Body.Decl->parameters())
    if (Named(Param))
      return Param;
  const NamedDecl* Found = nullptr;
  Body.forEach<DeclStmt>([&](const DeclStmt* Statement) {
    for (const Decl* D : Statement->decls())
      if (const auto* Name = dyn_cast<NamedDecl>(D); Named(Name) && !Found)
        Found = Name;
  });
  Body.forEach<LambdaExpr>([&](const LambdaExpr* Lambda) {
    for (const ParmVarDecl* Param : Lambda->getCallOperator()->parameters())
      if (Named(Param) && !Found)
        Found = Param;
  });
  return Found;
}

} // namespace

Span takenName(const FunctionBody& Body) {
  const NamedDecl* Taken = declaredInside(Body);
  for (const char* Name : {"accelerator", "accel"}) {
    IdentifierInfo& Identifier = Body.Src.ast().Idents.get(Name);
    if (Identifier.hadMacroDefinition())
      return Body.Src.pointAt(Body.Decl->getLocation());
    if (!Taken)
      Taken = declaredAround(Body.Decl->getDeclContext(), &Identifier);
  }
  return Taken ? Body.Src.pointAt(Taken->getLocation()) : Span();
}

} // namespace accel_rewrite
