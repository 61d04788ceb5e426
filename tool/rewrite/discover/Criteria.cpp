#include "discover/Criteria.h"
#include "discover/Types.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace accel_rewrite {

/// Whether class weights and ignored classes change the divisor of the mean. Other losses divide by
/// the number of elements, whatever the weights are.
static bool dividesByWeights(llvm::StringRef Loss) {
  return Loss.contains("nll") || Loss.contains("NLL") || Loss.starts_with("cross_entropy") ||
         Loss.contains("CrossEntropy");
}

/// `{}` or a default-constructed Tensor: no weight.
static bool isEmpty(const Expr* E) {
  E = E->IgnoreImplicit();
  if (const auto* List = dyn_cast<InitListExpr>(E))
    return List->getNumInits() == 0;
  if (const auto* Construct = dyn_cast<CXXConstructExpr>(E))
    return Construct->getNumArgs() == 0 ||
           (Construct->getNumArgs() == 1 && isEmpty(Construct->getArg(0)));
  if (const auto* Default = dyn_cast<CXXBindTemporaryExpr>(E))
    return isEmpty(Default->getSubExpr());
  const auto* Ref = dyn_cast<DeclRefExpr>(E);
  return Ref && Ref->getDecl()->getName() == "nullopt";
}

FormOfLoss Criteria::function(const CallExpr* E, const FunctionDecl* Callee) const {
  llvm::StringRef Name = Callee->getName();
  bool Known = Name.ends_with("_loss") || Name.contains("cross_entropy") || Name == "kl_div" ||
               Name.ends_with("_loss2d") || Name.ends_with("_loss_nd");
  if (!Known)
    return {LossForm::Unknown, E};
  bool Divides = dividesByWeights(Name);
  FormOfLoss Form{LossForm::Mean, E};
  for (unsigned I = 0; I < E->getNumArgs() && I < Callee->getNumParams(); ++I) {
    const Expr* Argument = E->getArg(I);
    if (isa<CXXDefaultArgExpr>(Argument))
      continue;
    llvm::StringRef Param = Callee->getParamDecl(I)->getName();
    if (Param == "reduction")
      Form = Form.Form == LossForm::Weighted && reductionNumber(Argument).Form == LossForm::Mean
                 ? Form
                 : reductionNumber(Argument);
    else if (Divides && ((Param == "weight" && !isEmpty(Argument)) || Param == "ignore_index"))
      Form = {LossForm::Weighted, Argument};
    else if (Param == "options")
      readOptions(Argument, Divides, Form);
  }
  return Form;
}

FormOfLoss Criteria::reductionNumber(const Expr* E) const {
  // at::Reduction: None, Mean, Sum.
  Expr::EvalResult Value;
  if (E->EvaluateAsInt(Value, Body.Src.ast())) {
    int64_t Number = Value.Val.getInt().getExtValue();
    return {Number == 1 ? LossForm::Mean : Number == 2 ? LossForm::Sum : LossForm::Unknown, E};
  }
  return {LossForm::Unknown, E};
}

/// `.reduction(torch::kSum)`, `.weight(w)`, `.ignore_index(0)`
void Criteria::readSetter(const CallExpr* Call, llvm::StringRef Name, bool Divides,
                          FormOfLoss& Form) const {
  if (Call->getNumArgs() == 0)
    return;
  if (Divides && (Name == "weight" || Name == "ignore_index") && Form.Form == LossForm::Mean)
    Form = {LossForm::Weighted, Call};
}

void Criteria::readOptionsVariable(const VarDecl* Var, bool Divides, FormOfLoss& Form) const {
  QualType T = Var->getType().getNonReferenceType();
  if (T->isArithmeticType() || isTensor(T))
    return;
  const CXXRecordDecl* Class = T->getAsCXXRecordDecl();
  if (!Class || !Class->getName().ends_with("Options") || isa<ParmVarDecl>(Var)) {
    Form = {LossForm::Unknown, Form.Where};
    return;
  }
  if (Var->getInit())
    readOptions(Var->getInit(), Divides, Form);
  Body.forEach<CXXMemberCallExpr>([&](const CXXMemberCallExpr* Setter) {
    const Expr* Object = Setter->getImplicitObjectArgument();
    while (const auto* Chained = dyn_cast<CXXMemberCallExpr>(written(Object)))
      Object = Chained->getImplicitObjectArgument();
    if (plainVariable(Object) != Var || !Setter->getMethodDecl() ||
        !Setter->getMethodDecl()->getDeclName().isIdentifier())
      return;
    readSetter(Setter, Setter->getMethodDecl()->getName(), Divides, Form);
    for (const Expr* Argument : Setter->arguments())
      readOptions(Argument, Divides, Form);
  });
}

/// Options as they're chained.
void Criteria::readOptions(const Stmt* S, bool Divides, FormOfLoss& Form) const {
  if (const auto* Ref = dyn_cast<DeclRefExpr>(S)) {
    llvm::StringRef Name =
        Ref->getDecl()->getDeclName().isIdentifier() ? Ref->getDecl()->getName() : "";
    if (Name == "kSum")
      Form = {LossForm::Sum, Ref};
    else if (Name == "kNone")
      Form = {LossForm::Unknown, Ref};
    else if (const auto* Var = dyn_cast<VarDecl>(Ref->getDecl());
             Var && !(Name.starts_with("k") && Name.size() > 1 && isUppercase(Name[1])))
      readOptionsVariable(Var, Divides, Form);
  } else if (const auto* Call = dyn_cast<CXXMemberCallExpr>(S); Call && Call->getMethodDecl()) {
    if (Call->getMethodDecl()->getDeclName().isIdentifier())
      readSetter(Call, Call->getMethodDecl()->getName(), Divides, Form);
  }
  for (const Stmt* Child : S->children())
    if (Child)
      readOptions(Child, Divides, Form);
}

/// What the class's constructors make of the member; false where they aren't all in view.
bool Criteria::readField(const FieldDecl* Field, bool Divides, FormOfLoss& Form) const {
  const auto* Class = dyn_cast<CXXRecordDecl>(Field->getParent());
  if (!Class)
    return false;
  if (const Expr* Init = Field->getInClassInitializer())
    readOptions(Init, Divides, Form);
  for (const CXXConstructorDecl* Constructor : Class->ctors()) {
    if (Constructor->isImplicit() || Constructor->isDefaulted() || Constructor->isDeleted())
      continue;
    const FunctionDecl* Definition = nullptr;
    if (!Constructor->hasBody(Definition))
      return false;
    for (const CXXCtorInitializer* Init : cast<CXXConstructorDecl>(Definition)->inits())
      if (Init->getMember() == Field && Init->isWritten())
        readOptions(Init->getInit(), Divides, Form);
    Facts Unused;
    FunctionBody Inner(Body.Src, Definition, Unused);
    Inner.forEach<CXXOperatorCallExpr>([&](const CXXOperatorCallExpr* E) {
      const auto* Member = E->getOperator() == OO_Equal && E->getNumArgs() == 2
                               ? dyn_cast<MemberExpr>(written(E->getArg(0)))
                               : nullptr;
      if (Member && Member->getMemberDecl() == Field)
        readOptions(E->getArg(1), Divides, Form);
    });
  }
  return true;
}

FormOfLoss Criteria::module(const Expr* E, const Expr* Object) const {
  FormOfLoss Unknown{LossForm::Unknown, E};
  Object = written(Object); // not the holder's base class
  QualType T = Object->getType().getNonReferenceType();
  if (QualType Inner = pointee(T); !Inner.isNull())
    T = Inner;
  const CXXRecordDecl* Class = T->getAsCXXRecordDecl();
  if (!Class || !Class->getName().contains("Loss") || Body.Src.inProject(Class->getLocation()))
    return Unknown;
  bool Divides = dividesByWeights(Class->getName());
  FormOfLoss Form{LossForm::Mean, E};
  const ValueDecl* Root = rootOf(Object);
  if (!Root) {
    // A temporary: `torch::nn::MSELoss()(output, target)`
    readOptions(Object, Divides, Form);
    return isa<CXXConstructExpr>(written(Object)) ? Form : Unknown;
  }
  if (const auto* Field = dyn_cast<FieldDecl>(Root))
    return readField(Field, Divides, Form) ? Form : Unknown;
  const auto* Var = dyn_cast<VarDecl>(Root);
  if (!Var || isa<ParmVarDecl>(Var))
    return Unknown;
  if (Var->getInit())
    readOptions(Var->getInit(), Divides, Form);
  for (const Write& W : Writes)
    if (W.Target == Var && W.Value)
      readOptions(W.Value, Divides, Form);
  return Form;
}

} // namespace accel_rewrite
