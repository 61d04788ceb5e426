//===- Optimizers.cpp - Variables that hold an optimizer ------------------===//
#include "discover/FunctionBody.h"
#include "discover/Types.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/TypeLoc.h"

using namespace clang;

namespace accel_rewrite {

namespace {

using Form = OptimizerVariable::Form;

/// `parameters()` calls below \p S: their objects.
void findModels(const FunctionBody& Body, const Stmt* S, OptimizerVariable& Fact) {
  if (const auto* Call = dyn_cast<CXXMemberCallExpr>(S);
      Call && isMethodOf(Call->getMethodDecl(), "torch::nn::Module", "parameters")) {
    const Expr* Object = Call->getImplicitObjectArgument();
    if (const auto* Arrow = dyn_cast<CXXOperatorCallExpr>(written(Object));
        Arrow && Arrow->getOperator() == OO_Arrow)
      Object = Arrow->getArg(0);
    std::string Text = Body.Src.text(Object);
    if (Object->getType()->isPointerType() && !Text.empty())
      Text = "*" + Text;
    if (const ValueDecl* Root = rootOf(Object); Root && !Text.empty())
      Fact.Models.push_back({Body.Src.key(Root), Text});
  }
  for (const Stmt* Child : S->children())
    if (Child)
      findModels(Body, Child, Fact);
}

/// The constructor call that the initialiser writes out, `(…)` or `{…}` behind the variable's name.
void describeDirect(const FunctionBody& Body, const CXXConstructExpr* Construct,
                    OptimizerVariable& Fact) {
  Fact.Initializer = Body.Src.span(Construct->getParenOrBraceRange());
  if (Fact.Initializer.valid())
    Fact.Made = Form::Direct;
}

void describeInit(const FunctionBody& Body, const VarDecl* Var, OptimizerVariable& Fact) {
  const Expr* Value = Var->getInit() ? written(Var->getInit()) : nullptr;
  if (!Value || Var->getType()->isReferenceType())
    return;
  bool Pointer = !pointee(Var->getType()).isNull();
  if (Var->getInitStyle() == VarDecl::CInit) {
    const auto* Call = dyn_cast<CallExpr>(Value);
    bool Made = Call && (isNamed(Call->getDirectCallee(), "std::make_unique") ||
                         isNamed(Call->getDirectCallee(), "std::make_shared"));
    Fact.Initializer = Body.Src.span(Value);
    if (Fact.Initializer.valid() && Pointer && Made)
      Fact.Made = Form::Pointer;
    else if (Fact.Initializer.valid() && !Pointer && isa<CXXTemporaryObjectExpr>(Value))
      Fact.Made = Form::Copy;
    return;
  }
  const Expr* Direct = Var->getInit()->IgnoreImplicit();
  if (const auto* Construct = dyn_cast<CXXConstructExpr>(Direct); Construct && !Pointer)
    describeDirect(Body, Construct, Fact);
}

} // namespace

void discoverOptimizers(const FunctionBody& Body) {
  Body.forEachVariable([&](const VarDecl* Var, const DeclStmt* Statement) {
    if (!isOptimizer(Var->getType()) || Var->getType()->isReferenceType())
      return;
    OptimizerVariable Fact;
    Fact.Key = Body.Src.key(Var);
    Fact.Name = Var->getNameAsString();
    Fact.Function = Body.Key;
    Fact.Statement = Body.Src.statement(Statement);
    Fact.Declarator = Body.Src.span(Var->getSourceRange());
    TypeLoc Written = Var->getTypeSourceInfo()->getTypeLoc();
    Fact.Type = Body.Src.span(Written.getSourceRange());
    if (Statement->isSingleDecl() && Fact.Statement.valid() && Fact.Declarator.valid() &&
        Fact.Type.valid())
      describeInit(Body, Var, Fact);
    if (Var->getInit())
      findModels(Body, Var->getInit(), Fact);
    if (Fact.Declarator.valid())
      Body.Out.Optimizers.push_back(std::move(Fact));
  });
}

} // namespace accel_rewrite
