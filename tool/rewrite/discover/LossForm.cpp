#include "discover/LossForm.h"
#include "discover/Types.h"
#include "discover/Uniform.h"

#include "clang/AST/ExprCXX.h"

#include <set>

using namespace clang;

namespace accel_rewrite {

namespace {

/// An operand that leaves the form of the other as it is (a number, a regulariser's factor) is
/// "neutral": no form at all.
using MaybeForm = std::optional<FormOfLoss>;

class FormReader {
public:
  explicit FormReader(const FunctionBody& Body) : Body(Body), Writes(writesIn(Body)) {}

  MaybeForm read(const Expr* E) {
    E = written(E);
    if (E->getType()->isArithmeticType())
      return std::nullopt;
    if (const auto* Ref = dyn_cast<DeclRefExpr>(E))
      return readVariable(Ref);
    if (const auto* Conditional = dyn_cast<ConditionalOperator>(E))
      return combine(read(Conditional->getTrueExpr()), read(Conditional->getFalseExpr()), E);
    if (const auto* Operator = dyn_cast<CXXOperatorCallExpr>(E))
      return readOperator(Operator);
    if (const auto* Method = dyn_cast<CXXMemberCallExpr>(E))
      return readMethod(Method);
    if (const auto* Call = dyn_cast<CallExpr>(E))
      return readCall(Call);
    return unknown(E);
  }

private:
  static FormOfLoss unknown(const Expr* E) { return {LossForm::Unknown, E}; }

  static MaybeForm combine(MaybeForm A, MaybeForm B, const Expr* Where) {
    if (!A || !B)
      return A ? A : B;
    if (A->Form == B->Form)
      return A;
    return FormOfLoss{LossForm::Unknown, A->Form == LossForm::Unknown   ? A->Where
                                         : B->Form == LossForm::Unknown ? B->Where
                                                                        : Where};
  }

  MaybeForm readVariable(const DeclRefExpr* Ref) {
    const auto* Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (!Var || isa<ParmVarDecl>(Var) || Var->hasGlobalStorage())
      return unknown(Ref);
    if (!Visiting.insert(Var).second)
      return std::nullopt; // `loss = loss + …`: what it held before is read elsewhere
    MaybeForm Form;
    if (Var->getInit() && !isDefaultTensor(Var->getInit()))
      Form = read(Var->getInit());
    for (const Write& W : Writes)
      if (W.Target == Var)
        Form = combine(Form, W.Value ? read(W.Value) : unknown(W.Where), W.Where);
    Visiting.erase(Var);
    return Form;
  }

  static bool isDefaultTensor(const Expr* E) {
    const auto* Construct = dyn_cast<CXXConstructExpr>(E->IgnoreImplicit());
    return Construct && Construct->getNumArgs() == 0;
  }

  MaybeForm readOperator(const CXXOperatorCallExpr* E) {
    switch (E->getOperator()) {
    case OO_Plus:
    case OO_Minus:
      return E->getNumArgs() == 1 ? read(E->getArg(0))
                                  : combine(read(E->getArg(0)), read(E->getArg(1)), E);
    case OO_Star:
    case OO_Slash: {
      MaybeForm Left = read(E->getArg(0)), Right = read(E->getArg(1));
      return Left && Right ? unknown(E) : Left ? Left : Right;
    }
    case OO_Call:
      return readCriterion(E, E->getArg(0));
    default:
      return unknown(E);
    }
  }

  MaybeForm readMethod(const CXXMemberCallExpr* E) {
    const CXXMethodDecl* Method = E->getMethodDecl();
    const Expr* Object = E->getImplicitObjectArgument();
    if (!Method || !Method->getDeclName().isIdentifier())
      return unknown(E);
    llvm::StringRef Name = Method->getName();
    if (isModule(Object->getType()))
      return readCriterion(E, Object);
    if (!isTensor(Object->getType()))
      return unknown(E);
    bool WholeTensor = E->getNumArgs() == 0 || isa<CXXDefaultArgExpr>(E->getArg(0));
    if (Name == "mean" || Name == "sum")
      return WholeTensor ? FormOfLoss{Name == "mean" ? LossForm::Mean : LossForm::Sum, E}
                         : unknown(E);
    if (Name == "neg" || Name == "clone" || Name == "to" || Name == "squeeze" || Name == "view" ||
        Name == "contiguous" || Name == "cpu" || Name == "cuda")
      return read(Object);
    if ((Name == "add" || Name == "sub") && E->getNumArgs() > 0)
      return combine(read(Object), read(E->getArg(0)), E);
    if ((Name == "mul" || Name == "div") && E->getNumArgs() > 0) {
      MaybeForm Left = read(Object), Right = read(E->getArg(0));
      return Left && Right ? unknown(E) : Left ? Left : Right;
    }
    return unknown(E);
  }

  MaybeForm readCall(const CallExpr* E) {
    const FunctionDecl* Callee = E->getDirectCallee();
    if (!Callee || !Callee->getDeclName().isIdentifier())
      return unknown(E);
    if (Body.Src.inProject(Callee->getLocation()))
      return readProjectFunction(E, Callee);
    llvm::StringRef Name = Callee->getName();
    if ((Name == "mean" || Name == "sum") && E->getNumArgs() > 0)
      return E->getNumArgs() == 1 || isa<CXXDefaultArgExpr>(E->getArg(1))
                 ? FormOfLoss{Name == "mean" ? LossForm::Mean : LossForm::Sum, E}
                 : unknown(E);
    return readLossFunction(E, Callee);
  }

  /// A function of the project that computes the loss: its return statements, where they are plain.
  MaybeForm readProjectFunction(const CallExpr* E, const FunctionDecl* Callee) {
    const FunctionDecl* Definition = nullptr;
    if (!Callee->hasBody(Definition) || Definition->isDependentContext() ||
        !Functions.insert(Definition).second)
      return unknown(E);
    Facts Unused;
    FunctionBody Inner(Body.Src, Definition, Unused);
    FormReader Reader(Inner);
    Reader.Functions = Functions;
    MaybeForm Form;
    Inner.forEach<ReturnStmt>([&](const ReturnStmt* Return) {
      if (Return->getRetValue())
        Form = combine(Form, Reader.read(Return->getRetValue()), E);
    });
    return Form ? Form : unknown(E);
  }

  /// `torch::nll_loss(…)`, `torch::nn::functional::cross_entropy(…)`: by the parameters
  /// `reduction`, `weight`, `ignore_index`, `options`.
  MaybeForm readLossFunction(const CallExpr* E, const FunctionDecl* Callee) {
    llvm::StringRef Name = Callee->getName();
    bool Known = Name.ends_with("_loss") || Name.contains("cross_entropy") || Name == "kl_div" ||
                 Name.ends_with("_loss2d") || Name.ends_with("_loss_nd");
    if (!Known)
      return unknown(E);
    FormOfLoss Form{LossForm::Mean, E};
    for (unsigned I = 0; I < E->getNumArgs() && I < Callee->getNumParams(); ++I) {
      const Expr* Argument = E->getArg(I);
      if (isa<CXXDefaultArgExpr>(Argument))
        continue;
      llvm::StringRef Param = Callee->getParamDecl(I)->getName();
      if (Param == "reduction")
        Form = reductionNumber(Argument);
      else if ((Param == "weight" && !isEmpty(Argument)) || Param == "ignore_index")
        return FormOfLoss{LossForm::Weighted, Argument};
      else if (Param == "options")
        readOptions(Argument, Form);
    }
    return Form;
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

  FormOfLoss reductionNumber(const Expr* E) const {
    // at::Reduction: None, Mean, Sum.
    Expr::EvalResult Value;
    if (E->EvaluateAsInt(Value, Body.Src.ast())) {
      int64_t Number = Value.Val.getInt().getExtValue();
      return {Number == 1 ? LossForm::Mean : Number == 2 ? LossForm::Sum : LossForm::Unknown, E};
    }
    return unknown(E);
  }

  /// Options as they're chained: `.reduction(torch::kSum)`, `.weight(w)`, `.ignore_index(0)`.
  void readOptions(const Stmt* S, FormOfLoss& Form) const {
    if (const auto* Ref = dyn_cast<DeclRefExpr>(S)) {
      llvm::StringRef Name = Ref->getDecl()->getName();
      if (Name == "kSum")
        Form = {LossForm::Sum, Ref};
      else if (Name == "kNone" || (isa<VarDecl>(Ref->getDecl()) && !Name.starts_with("k")))
        Form = unknown(Ref);
    } else if (const auto* Call = dyn_cast<CXXMemberCallExpr>(S); Call && Call->getMethodDecl()) {
      if (Call->getMethodDecl()->getDeclName().isIdentifier() && Call->getNumArgs() > 0 &&
          (Call->getMethodDecl()->getName() == "weight" ||
           Call->getMethodDecl()->getName() == "ignore_index")) {
        Form = {LossForm::Weighted, Call};
        return;
      }
    }
    for (const Stmt* Child : S->children())
      if (Child && Form.Form != LossForm::Weighted)
        readOptions(Child, Form);
  }

  /// `criterion(output, target)` of one of libtorch's loss modules: by the variable's initialiser.
  MaybeForm readCriterion(const Expr* E, const Expr* Object) const {
    const ValueDecl* Root = rootOf(Object);
    const auto* Var = dyn_cast_or_null<VarDecl>(Root);
    const CXXRecordDecl* Class = Object->getType().getNonReferenceType()->getAsCXXRecordDecl();
    if (!Class)
      Class = Object->getType()->getPointeeCXXRecordDecl();
    if (!Var || isa<ParmVarDecl>(Var) || !Class || !Class->getName().contains("Loss") ||
        Body.Src.inProject(Class->getLocation()))
      return unknown(E);
    FormOfLoss Form{LossForm::Mean, E};
    if (Var->getInit())
      readOptions(Var->getInit(), Form);
    return Form;
  }

  const FunctionBody& Body;
  std::vector<Write> Writes;
  std::set<const VarDecl*> Visiting;
  std::set<const FunctionDecl*> Functions;
};

} // namespace

FormOfLoss lossForm(const FunctionBody& Body, const Expr* Loss) {
  MaybeForm Form = FormReader(Body).read(Loss);
  return Form ? *Form : FormOfLoss{LossForm::Unknown, Loss};
}

} // namespace accel_rewrite
