//===- OptimizerModels.cpp - Whose parameters an optimizer takes ----------===//
#include "discover/OptimizerModels.h"
#include "discover/FunctionBody.h"
#include "discover/Types.h"

#include "clang/AST/ExprCXX.h"

#include <set>

using namespace clang;

namespace accel_rewrite {

namespace {

class ModelFinder {
public:
  ModelFinder(const Source& Src, const FunctionBody* Body, OptimizerVariable& Fact)
      : Src(Src), Body(Body), Fact(Fact) {}

  void find(const Stmt* S) {
    if (!Site)
      Site = S;
    if (const auto* Call = dyn_cast<CXXMemberCallExpr>(S); Call && takesParameters(Call))
      addObject(Call->getImplicitObjectArgument());
    if (const auto* Ref = dyn_cast<DeclRefExpr>(S))
      findBehind(dyn_cast<VarDecl>(Ref->getDecl()));
    for (const Stmt* Child : S->children())
      if (Child)
        find(Child);
  }

private:
  /// `model->parameters()`, and a model's own member function that collects some of them.
  static bool takesParameters(const CXXMemberCallExpr* Call) {
    const CXXMethodDecl* Method = Call->getMethodDecl();
    if (!Method || !Method->getDeclName().isIdentifier())
      return false;
    for (llvm::StringRef Name : {"parameters", "named_parameters"})
      if (isMethodOf(Method, "torch::nn::Module", Name) ||
          isMethodOf(Method, "torch::jit::Module", Name))
        return true;
    return isModule(Call->getImplicitObjectArgument()->getType()) && collectsTensors(Method);
  }

  /// Returns tensors in a container.
  static bool collectsTensors(const CXXMethodDecl* Method) {
    const CXXRecordDecl* Class =
        Method->getReturnType().getNonReferenceType()->getAsCXXRecordDecl();
    return Class && Class->getName() == "vector";
  }

  void addObject(const Expr* Object) {
    if (const auto* Arrow = dyn_cast<CXXOperatorCallExpr>(written(Object));
        Arrow && Arrow->getOperator() == OO_Arrow)
      Object = Arrow->getArg(0);
    std::string Text = Src.text(Object);
    if (Object->getType()->isPointerType() && !Text.empty())
      Text = "*" + Text;
    const ValueDecl* Root = rootOf(Object);
    if (!Root || Text.empty() || !isVisible(Object)) {
      Fact.HasUnnamedModel = true;
      return;
    }
    for (const OptimizerVariable::Source& Known : Fact.Models)
      if (Known.Text == Text)
        return;
    Fact.Models.push_back({Src.key(Root), Text});
  }

  /// Whether all variables of \p E are those of the scopes that the optimizer is made in.
  bool isVisible(const Stmt* E) const {
    if (const auto* Ref = dyn_cast<DeclRefExpr>(E))
      if (const auto* Var = dyn_cast<VarDecl>(Ref->getDecl()); Var && Var->isLocalVarDeclOrParm())
        return Body && (Var->getDeclContext() == Body->Decl && isa<ParmVarDecl>(Var)
                            ? true
                            : Body->isInside(Site, scopeOf(Var)));
    for (const Stmt* Child : E->children())
      if (Child && !isVisible(Child))
        return false;
    return true;
  }

  /// The block or loop that a local variable lives in.
  const Stmt* scopeOf(const VarDecl* Var) const {
    const Stmt* Scope = nullptr;
    Body->forEachVariable([&](const VarDecl* Other, const DeclStmt* Statement) {
      if (Other == Var)
        Scope = Body->parent(Statement);
    });
    return Scope;
  }

  /// A local variable that collects parameters: what it is made from, and what is put into it.
  void findBehind(const VarDecl* Var) {
    if (!Body || !Var || !Var->isLocalVarDecl() || !Seen.insert(Var).second ||
        isModule(Var->getType()))
      return;
    if (Var->getInit())
      find(Var->getInit());
    Body->forEach<CXXMemberCallExpr>([&](const CXXMemberCallExpr* Call) {
      if (rootOf(Call->getImplicitObjectArgument()) != Var)
        return;
      for (const Expr* Argument : Call->arguments())
        find(Argument);
    });
    Body->forEach<CXXForRangeStmt>([&](const CXXForRangeStmt* For) {
      if (For->getLoopVariable() == Var)
        find(For->getRangeInit());
    });
  }

  const Source& Src;
  const FunctionBody* Body;
  OptimizerVariable& Fact;
  const Stmt* Site = nullptr;
  std::set<const VarDecl*> Seen;
};

} // namespace

void findModels(const Source& Src, const FunctionBody* Body, const Stmt* S,
                OptimizerVariable& Fact) {
  ModelFinder(Src, Body, Fact).find(S);
}

} // namespace accel_rewrite
