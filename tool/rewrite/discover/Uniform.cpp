#include "discover/Uniform.h"
#include "discover/LoopShape.h"
#include "discover/LossForm.h"
#include "discover/Mentions.h"
#include "discover/Types.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace accel_rewrite {

/// A forwarding reference (`T&&` or `Ts&&...` of a function template) hands its argument on:
/// libtorch's and the standard library's do no more.
static bool isForwarded(const FunctionDecl* Callee, unsigned Param) {
  const FunctionTemplateDecl* Template = Callee->getPrimaryTemplate();
  const FunctionDecl* Pattern = Template ? Template->getTemplatedDecl() : nullptr;
  if (!Pattern || Pattern->getNumParams() == 0)
    return false;
  unsigned Last = Pattern->getNumParams() - 1;
  QualType Declared = Pattern->getParamDecl(std::min(Param, Last))->getType();
  if (const auto* Pack = Declared->getAs<PackExpansionType>())
    Declared = Pack->getPattern();
  else if (Param > Last)
    return false;
  const auto* Type = Declared->getAs<RValueReferenceType>();
  return Type && Type->getPointeeType()->isTemplateTypeParmType();
}

/// An rvalue reference binds a temporary, or what std::move was written around, which counts by
/// itself.
static bool mayChangeArgument(QualType Parameter) {
  return (Parameter->isLValueReferenceType() || Parameter->isPointerType()) &&
         !Parameter->getPointeeType().isConstQualified();
}

static void addArgumentWrites(const Expr* Call, const FunctionDecl* Callee, unsigned Skip,
                              llvm::ArrayRef<const Expr*> Arguments, std::vector<Write>& Out) {
  for (unsigned I = Skip; I < Arguments.size(); ++I) {
    const ValueDecl* Target = plainVariable(Arguments[I]);
    unsigned Param = I - Skip;
    if (Target && Callee && Param < Callee->getNumParams() &&
        mayChangeArgument(Callee->getParamDecl(Param)->getType()) &&
        (isTie(Call) || !isForwarded(Callee, Param)))
      Out.push_back({Call, Target, Write::Kind::Other, nullptr});
  }
}

std::vector<Write> writesIn(const FunctionBody& Body) {
  using Kind = Write::Kind;
  std::vector<Write> Out;
  Body.forEach<Expr>([&](const Expr* E) {
    if (const auto* Binary = dyn_cast<BinaryOperator>(E); Binary && Binary->isAssignmentOp()) {
      if (const ValueDecl* Target = plainVariable(Binary->getLHS()))
        Out.push_back({E, Target,
                       Binary->getOpcode() == BO_Assign      ? Kind::Assign
                       : Binary->getOpcode() == BO_AddAssign ? Kind::Add
                                                             : Kind::Other,
                       Binary->getRHS()});
    } else if (const auto* Unary = dyn_cast<UnaryOperator>(E)) {
      const ValueDecl* Target = plainVariable(Unary->getSubExpr());
      if (Target && (Unary->isIncrementDecrementOp() || Unary->getOpcode() == UO_AddrOf))
        Out.push_back({E, Target, Unary->isIncrementOp() ? Kind::Add : Kind::Other, nullptr});
    } else if (const auto* Operator = dyn_cast<CXXOperatorCallExpr>(E);
               Operator && Operator->isAssignmentOp()) {
      if (const ValueDecl* Target = plainVariable(Operator->getArg(0)))
        Out.push_back({E, Target,
                       Operator->getOperator() == OO_Equal       ? Kind::Assign
                       : Operator->getOperator() == OO_PlusEqual ? Kind::Add
                                                                 : Kind::Other,
                       Operator->getArg(1)});
    } else if (const auto* Called = dyn_cast<CXXOperatorCallExpr>(E)) {
      // `next(batch)` of a functor, `stream >> value`
      llvm::ArrayRef Arguments(Called->getArgs(), Called->getNumArgs());
      bool IsMember = isa_and_nonnull<CXXMethodDecl>(Called->getDirectCallee());
      addArgumentWrites(E, Called->getDirectCallee(), 0, Arguments.drop_front(IsMember), Out);
    } else if (const auto* Call = dyn_cast<CallExpr>(E)) {
      if (const ValueDecl* Target =
              Call->isCallToStdMove() ? plainVariable(Call->getArg(0)) : nullptr)
        Out.push_back({E, Target, Kind::Other, nullptr});
      addArgumentWrites(E, Call->getDirectCallee(), 0,
                        llvm::ArrayRef(Call->getArgs(), Call->getNumArgs()), Out);
    } else if (const auto* Construct = dyn_cast<CXXConstructExpr>(E)) {
      addArgumentWrites(E, Construct->getConstructor(), 0,
                        llvm::ArrayRef(Construct->getArgs(), Construct->getNumArgs()), Out);
    }
  });
  Body.forEachVariable([&](const VarDecl* Var, const DeclStmt*) {
    if (Var->isImplicit() || !Var->getInit() || !mayChangeArgument(Var->getType()))
      return;
    if (const ValueDecl* Target = plainVariable(Var->getInit()))
      Out.push_back({Var->getInit(), Target, Kind::Other, nullptr});
  });
  return Out;
}

std::set<const ValueDecl*> lossesIn(const FunctionBody& Body) {
  std::set<const ValueDecl*> Losses;
  Body.forEach<CXXMemberCallExpr>([&](const CXXMemberCallExpr* E) {
    if (isMethodOf(E->getMethodDecl(), "at::Tensor", "backward"))
      if (const ValueDecl* Loss = plainVariable(E->getImplicitObjectArgument()))
        Losses.insert(Loss);
  });
  return Losses;
}

const Expr* itemObject(const Expr* E) {
  const auto* Call = dyn_cast<CXXMemberCallExpr>(E);
  if (Call && isMethodOf(Call->getMethodDecl(), "at::Tensor", "item"))
    return Call->getImplicitObjectArgument();
  // `tensor.item().toDouble()`
  const CXXMethodDecl* Method = Call ? Call->getMethodDecl() : nullptr;
  bool Converts = Method && Method->getDeclName().isIdentifier() &&
                  Method->getName().starts_with("to") &&
                  isMethodOf(Method, "c10::Scalar", Method->getName());
  return Converts ? itemObject(written(Call->getImplicitObjectArgument())) : nullptr;
}

/// Whether \p Var gathers values over the steps of a loop around \p At: the rows of the present
/// step say nothing of their weights.
bool Uniform::isRunning(const ValueDecl* Var, const Stmt* At) const {
  const DeclStmt* Declaration = nullptr;
  Body.forEachVariable([&](const VarDecl* Other, const DeclStmt* S) {
    if (Other == Var)
      Declaration = S;
  });
  for (const Write& W : Writes) {
    if (W.Target != Var || W.How != Write::Kind::Add)
      continue;
    for (const Stmt* Up = Body.parent(W.Where); Up; Up = Body.parent(Up))
      if (loopBody(Up) && Body.isInside(At, Up) && !(Declaration && Body.isInside(Declaration, Up)))
        return true;
  }
  return false;
}

bool Uniform::isMean(const Expr* Tensor) const {
  const ValueDecl* Var = plainVariable(Tensor);
  return lossForm(Body, Tensor).Form == LossForm::Mean && !(Var && isRunning(Var, Tensor));
}

/// What a function says of the program, the machine or the gradients of all processes, not of rows.
static bool isSameEverywhere(const FunctionDecl* F) {
  return isMethodOf(F, "at::TensorBase", "requires_grad") ||
         isMethodOf(F, "at::TensorBase", "defined") ||
         isMethodOf(F, "torch::nn::Module", "is_training") ||
         isNamed(F, "torch::cuda::is_available") || isNamed(F, "torch::nn::utils::clip_grad_norm_");
}

bool Uniform::isUniform(const Expr* E) const {
  E = written(E);
  if (isa<IntegerLiteral>(E) || isa<FloatingLiteral>(E) || isa<CXXBoolLiteralExpr>(E) ||
      isa<CharacterLiteral>(E) || isa<StringLiteral>(E) || isa<UnaryExprOrTypeTraitExpr>(E))
    return true;
  if (const auto* Ref = dyn_cast<DeclRefExpr>(E))
    return isa<EnumConstantDecl>(Ref->getDecl()) || isUniform(Ref->getDecl());
  if (const auto* Member = dyn_cast<MemberExpr>(E)) {
    // A field of a parameter object or of *this, as options are.
    if (!Member->getType()->isArithmeticType() || !isa<FieldDecl>(Member->getMemberDecl()))
      return false;
    const ValueDecl* Root = rootOf(Member);
    return Root && (isa<ParmVarDecl>(Root) || isa<FieldDecl>(Root));
  }
  if (const Expr* Object = itemObject(E))
    return isMean(Object);
  if (const auto* Call = dyn_cast<CallExpr>(E)) {
    const FunctionDecl* Callee = Call->getDirectCallee();
    if (isSameEverywhere(Callee))
      return true;
    if (isa<CXXMemberCallExpr>(Call) || isa<CXXOperatorCallExpr>(Call) || !Callee ||
        !(Callee->isInStdNamespace() || Callee->isExternC()) || Call->getNumArgs() == 0)
      return false;
  } else if (!isa<UnaryOperator>(E) && !isa<BinaryOperator>(E) && !isa<ConditionalOperator>(E) &&
             !isa<ExplicitCastExpr>(E)) {
    return false;
  }
  for (const Stmt* Child : E->children())
    if (const auto* Part = dyn_cast_or_null<Expr>(Child))
      if (!isa<DeclRefExpr>(written(Part)) || !Part->getType()->isFunctionPointerType())
        if (!isUniform(Part))
          return false;
  return true;
}

bool Uniform::isUniform(const ValueDecl* D) const {
  const auto* Var = dyn_cast<VarDecl>(D);
  if (!Var)
    return isa<EnumConstantDecl>(D);
  if (auto It = Known.find(Var); It != Known.end())
    return It->second;
  Known[Var] = true; // A counter depends on itself.
  bool Result = computeUniform(Var);
  Known[Var] = Result;
  return Result;
}

bool Uniform::computeUniform(const VarDecl* Var) const {
  QualType T = Var->getType().getNonReferenceType();
  bool Simple = T->isArithmeticType() || T->isEnumeralType();
  if (!Simple)
    return false;
  if (Var->hasGlobalStorage())
    return T.isConstQualified();
  if (Var->getType()->isReferenceType() && !T.isConstQualified())
    return false;
  if (!isa<ParmVarDecl>(Var) && Var->getInit() && !isUniform(Var->getInit()))
    return false;
  for (const Write& W : Writes)
    if (W.Target == Var && (W.How == Write::Kind::Other || (W.Value && !isUniform(W.Value)) ||
                            differingGuard(W.Where)))
      return false;
  return true;
}

/// The condition by which \p Up decides whether its child \p S runs; null if it runs always.
static const Expr* guardOf(const Stmt* Up, const Stmt* S) {
  if (const auto* If = dyn_cast<IfStmt>(Up))
    return S == If->getThen() || S == If->getElse() ? If->getCond() : nullptr;
  if (const auto* For = dyn_cast<ForStmt>(Up))
    return S == For->getInit() ? nullptr : For->getCond();
  if (const auto* While = dyn_cast<WhileStmt>(Up))
    return S == While->getBody() ? While->getCond() : nullptr;
  if (const auto* Do = dyn_cast<DoStmt>(Up))
    return S == Do->getBody() ? Do->getCond() : nullptr;
  if (const auto* Switch = dyn_cast<SwitchStmt>(Up))
    return S == Switch->getBody() ? Switch->getCond() : nullptr;
  if (const auto* Conditional = dyn_cast<ConditionalOperator>(Up))
    return S == Conditional->getCond() ? nullptr : Conditional->getCond();
  if (const auto* Binary = dyn_cast<BinaryOperator>(Up); Binary && Binary->isLogicalOp())
    return S == Binary->getRHS() ? Binary->getLHS() : nullptr;
  return nullptr;
}

const Expr* Uniform::differingGuard(const Stmt* S, const Stmt* Within) const {
  for (const Stmt* Up = Body.parent(S); Up && S != Within; S = Up, Up = Body.parent(Up))
    if (const Expr* Guard = guardOf(Up, S); Guard && !isUniform(Guard))
      return Guard;
  return nullptr;
}

} // namespace accel_rewrite
