//===- OptimizerTypes.cpp - Templates that are given an optimizer's type --===//
#include "discover/FunctionBody.h"
#include "discover/Types.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace accel_rewrite {

namespace {

class TypeFinder : public RecursiveASTVisitor<TypeFinder> {
public:
  explicit TypeFinder(const FunctionBody& Body) : Body(Body) {}

  bool VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc Loc) {
    const CXXRecordDecl* Class = Loc.getType()->getAsCXXRecordDecl();
    if (!Class || !Body.Src.inProject(Class->getLocation()))
      return true;
    for (unsigned I = 0; I < Loc.getNumArgs(); ++I)
      if (Loc.getArgLoc(I).getArgument().getKind() == TemplateArgument::Type)
        if (auto Named =
                Loc.getArgLoc(I).getTypeSourceInfo()->getTypeLoc().getAs<DecltypeTypeLoc>())
          add(Named, Class);
    return true;
  }

private:
  void add(DecltypeTypeLoc Named, const CXXRecordDecl* User) {
    const ValueDecl* D = plainVariable(Named.getUnderlyingExpr());
    const CXXRecordDecl* Optimizer = D ? D->getType()->getAsCXXRecordDecl() : nullptr;
    Span Where = Body.Src.span(Named.getSourceRange());
    if (!Optimizer || !isOptimizer(D->getType()) || !Where.valid() || holds(User, Optimizer))
      return;
    Body.Out.OptimizerTypes.push_back(
        {Body.Src.key(D), Where, Optimizer->getQualifiedNameAsString()});
  }

  /// By value: then the prepared optimizer's own type is needed.
  static bool holds(const CXXRecordDecl* User, const CXXRecordDecl* Optimizer) {
    if (!User->hasDefinition())
      return true;
    for (const FieldDecl* Field : User->fields())
      if (Field->getType()->getAsCXXRecordDecl() == Optimizer)
        return true;
    for (const CXXBaseSpecifier& Base : User->bases())
      if (const CXXRecordDecl* Parent = Base.getType()->getAsCXXRecordDecl();
          Parent && holds(Parent, Optimizer))
        return true;
    return false;
  }

  const FunctionBody& Body;
};

} // namespace

void discoverOptimizerTypes(const FunctionBody& Body) {
  TypeFinder(Body).TraverseStmt(Body.Decl->getBody());
}

} // namespace accel_rewrite
