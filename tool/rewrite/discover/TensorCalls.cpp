#include "discover/TensorCalls.h"
#include "discover/Source.h"
#include "discover/Types.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace accel_rewrite {

static bool isZero(const ASTContext& AST, const Expr* E) {
  Expr::EvalResult Value;
  return !E->isValueDependent() && E->getType()->isIntegerType() && E->EvaluateAsInt(Value, AST) &&
         Value.Val.getInt() == 0;
}

bool countsRows(const ASTContext& AST, const Expr* E) {
  if (const auto* Operator = dyn_cast<CXXOperatorCallExpr>(E)) {
    const auto* Sizes = Operator->getOperator() == OO_Subscript
                            ? dyn_cast<CXXMemberCallExpr>(written(Operator->getArg(0)))
                            : nullptr;
    return Sizes && isMethodOf(Sizes->getMethodDecl(), "at::TensorBase", "sizes") &&
           isZero(AST, Operator->getArg(1));
  }
  const auto* Call = dyn_cast<CXXMemberCallExpr>(E);
  if (!Call)
    return false;
  return isMethodOf(Call->getMethodDecl(), "at::TensorBase", "numel") ||
         (isMethodOf(Call->getMethodDecl(), "at::TensorBase", "size") && Call->getNumArgs() == 1 &&
          isZero(AST, Call->getArg(0)));
}

bool isParameterList(const Expr* E) {
  const auto* Call = dyn_cast<CXXMemberCallExpr>(written(E));
  return Call && isMethodOf(Call->getMethodDecl(), "torch::nn::Module", "parameters");
}

const InitListExpr* listIn(const Stmt* S) {
  if (const auto* List = dyn_cast_or_null<InitListExpr>(S))
    return List;
  if (!S || !isa<Expr>(S) || isa<CallExpr>(S))
    return nullptr;
  for (const Stmt* Child : S->children())
    if (const InitListExpr* Found = listIn(Child))
      return Found;
  return nullptr;
}

bool isDefaultTensor(const Expr* E) {
  const auto* Construct = dyn_cast<CXXConstructExpr>(E->IgnoreImplicit());
  return Construct && Construct->getNumArgs() == 0;
}

bool keepsForm(llvm::StringRef Name) {
  static const llvm::StringRef Names[] = {
      "neg",       "clone",          "detach",  "data",
      "to",        "squeeze",        "view",    "contiguous",
      "cpu",       "cuda",           "reshape", "toType",
      "unsqueeze", "requires_grad_", "flatten", "set_requires_grad"};
  return llvm::is_contained(Names, Name);
}

const Expr* writtenArgument(const CallExpr* E, unsigned I) {
  return I < E->getNumArgs() && !isa<CXXDefaultArgExpr>(E->getArg(I)) ? E->getArg(I) : nullptr;
}

bool isDimensionZero(const ASTContext& AST, const Expr* E) {
  if (const InitListExpr* List = listIn(E)) {
    return llvm::any_of(List->inits(), [&](const Expr* One) { return isDimensionZero(AST, One); });
  }
  Expr::EvalResult Value;
  const Expr* Number = written(E);
  while (const auto* Construct = dyn_cast<CXXConstructExpr>(Number)) {
    if (Construct->getNumArgs() == 0)
      return false;
    Number = written(Construct->getArg(0));
  }
  return Number->getType()->isIntegerType() && !Number->isValueDependent() &&
         Number->EvaluateAsInt(Value, AST) && Value.Val.getInt() == 0;
}

bool selectsRows(const Expr* E) {
  const auto* Call = dyn_cast<CallExpr>(written(E));
  const FunctionDecl* Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && Callee->getDeclName().isIdentifier() && Callee->getName() == "masked_select";
}

bool isStart(const ASTContext& AST, const CallExpr* E) {
  if (E->getNumArgs() == 0)
    return false;
  if (const InitListExpr* List = listIn(E->getArg(0))) {
    Expr::EvalResult One;
    return List->getNumInits() == 0 ||
           (List->getNumInits() == 1 && !List->getInit(0)->isValueDependent() &&
            List->getInit(0)->EvaluateAsInt(One, AST) && One.Val.getInt() == 1);
  }
  return E->getArg(0)->IgnoreImplicit()->getType()->isArithmeticType();
}

const Expr* partOf(const Expr* E, unsigned Part) {
  E = E->IgnoreImplicit();
  while (const auto* Construct = dyn_cast<CXXConstructExpr>(E)) {
    if (Construct->getNumArgs() > 1)
      return Part < Construct->getNumArgs() ? Construct->getArg(Part) : nullptr;
    if (Construct->getNumArgs() == 0)
      return nullptr;
    E = Construct->getArg(0)->IgnoreImplicit();
  }
  if (const auto* List = dyn_cast<InitListExpr>(E))
    return Part < List->getNumInits() ? List->getInit(Part) : nullptr;
  const auto* Call = dyn_cast<CallExpr>(written(E));
  bool Makes = Call && (isNamed(Call->getDirectCallee(), "std::make_tuple") ||
                        isNamed(Call->getDirectCallee(), "std::make_pair"));
  return Makes && Part < Call->getNumArgs() ? Call->getArg(Part) : nullptr;
}

} // namespace accel_rewrite
