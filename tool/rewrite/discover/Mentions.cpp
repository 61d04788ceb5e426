#include "discover/Mentions.h"
#include "discover/Source.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace accel_rewrite {

bool isStdCall(const Expr* E, llvm::ArrayRef<llvm::StringRef> Names) {
  const auto* Call = dyn_cast<CallExpr>(E);
  const FunctionDecl* Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && Callee->isInStdNamespace() && Callee->getDeclName().isIdentifier() &&
         llvm::is_contained(Names, Callee->getName());
}

bool isTie(const Expr* E) {
  return isStdCall(E, {"tie", "forward_as_tuple"});
}

bool fillsArgument(const Expr* Where) {
  const auto* Call = dyn_cast<CallExpr>(Where);
  const FunctionDecl* Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && !isTie(Where) && !Call->isCallToStdMove() && !Callee->isInStdNamespace();
}

const Expr* valueOfTie(const FunctionBody& Body, const Expr* Tie) {
  if (!isTie(Tie))
    return nullptr;
  for (const Stmt* Up = Body.parent(Tie); Up && isa<Expr>(Up); Up = Body.parent(Up))
    if (const auto* Operator = dyn_cast<CXXOperatorCallExpr>(Up);
        Operator && Operator->getOperator() == OO_Equal)
      return Operator->getArg(1);
  return nullptr;
}

const ValueDecl* tupleOf(const Expr* E) {
  const auto* Call = dyn_cast<CallExpr>(E);
  bool IsGet = Call && isStdCall(Call, {"get"}) && Call->getNumArgs() == 1;
  return IsGet ? plainVariable(Call->getArg(0)) : nullptr;
}

bool isSameThing(const Expr* A, const Expr* B) {
  if (const ValueDecl* Tuple = tupleOf(A))
    return tupleOf(B) == Tuple &&
           cast<CallExpr>(A)->getDirectCallee() == cast<CallExpr>(B)->getDirectCallee();
  if (const auto* Ref = dyn_cast<DeclRefExpr>(A)) {
    const auto* Other = dyn_cast<DeclRefExpr>(B);
    return Other && Other->getDecl() == Ref->getDecl();
  }
  const auto* Member = dyn_cast<MemberExpr>(A);
  const auto* Other = dyn_cast<MemberExpr>(B);
  if (!Member || !Other || Member->getMemberDecl() != Other->getMemberDecl())
    return false;
  const Expr *Base = written(Member->getBase()), *OtherBase = written(Other->getBase());
  return (isa<CXXThisExpr>(Base) && isa<CXXThisExpr>(OtherBase)) ||
         (rootOf(Base) && rootOf(Base) == rootOf(OtherBase));
}

static const Stmt* outOfCasts(const FunctionBody& Body, const Expr* E, const Stmt*& Inner) {
  Inner = E;
  const Stmt* Up = Body.parent(E);
  while (Up && (isa<CastExpr>(Up) || isa<ParenExpr>(Up) || isa<MaterializeTemporaryExpr>(Up))) {
    Inner = Up;
    Up = Body.parent(Up);
  }
  return Up;
}

bool isWritten(const FunctionBody& Body, const Expr* E) {
  const Stmt* Inner = nullptr;
  const Stmt* Up = outOfCasts(Body, E, Inner);
  if (const auto* Operator = dyn_cast_or_null<CXXOperatorCallExpr>(Up))
    return Operator->isAssignmentOp() && Operator->getArg(0) == Inner;
  const auto* Call = dyn_cast_or_null<CallExpr>(Up);
  return Call && isTie(Call) && valueOfTie(Body, Call);
}

bool isReadForRows(const FunctionBody& Body, const Expr* E) {
  const Stmt* Inner = nullptr;
  const Stmt* Up = outOfCasts(Body, E, Inner);
  if (const auto* Call = dyn_cast_or_null<CallExpr>(Up); Call && !isa<CXXMemberCallExpr>(Call))
    return !(fillsArgument(Call) && !isa<CXXOperatorCallExpr>(Call) &&
             std::any_of(Call->getDirectCallee()->param_begin(),
                         Call->getDirectCallee()->param_end(), [&](const ParmVarDecl* Param) {
                           unsigned I = Param->getFunctionScopeIndex();
                           return I < Call->getNumArgs() && Call->getArg(I) == Inner &&
                                  Param->getType()->isLValueReferenceType() &&
                                  !Param->getType()->getPointeeType().isConstQualified();
                         }));
  const auto* Member = dyn_cast_or_null<MemberExpr>(Up);
  if (!Member || !Member->getMemberDecl()->getDeclName().isIdentifier())
    return true;
  llvm::StringRef Name = Member->getMemberDecl()->getName();
  return Name != "defined" && Name != "device" && Name != "dtype" && Name != "options" &&
         Name != "scalar_type" && Name != "dim" && Name != "is_cuda" && Name != "requires_grad";
}

} // namespace accel_rewrite
