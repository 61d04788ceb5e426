#include "discover/LossForm.h"
#include "discover/Criteria.h"
#include "discover/Reading.h"
#include "discover/TensorCalls.h"
#include "discover/Types.h"
#include "discover/Uniform.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

#include <set>

using namespace clang;

namespace accel_rewrite {

namespace {

class FormReader {
public:
  FormReader(const FunctionBody& Body, unsigned Depth)
      : Body(Body), Writes(writesIn(Body)), Losses(Body, Writes), Depth(Depth) {}

  Reading read(const Expr* E) {
    E = written(E);
    if (E->getType()->isArithmeticType())
      return readNumber(E);
    if (const auto* Ref = dyn_cast<DeclRefExpr>(E))
      return readVariable(Ref);
    if (const auto* Conditional = dyn_cast<ConditionalOperator>(E))
      return either(read(Conditional->getTrueExpr()), read(Conditional->getFalseExpr()), E);
    if (const auto* Operator = dyn_cast<CXXOperatorCallExpr>(E))
      return readOperator(Operator);
    if (const auto* Method = dyn_cast<CXXMemberCallExpr>(E))
      return readMethod(Method);
    if (const auto* Call = dyn_cast<CallExpr>(E))
      return readCall(Call);
    if (isParameterField(E))
      return {Reading::Fixed, E};
    if (const auto* Member = dyn_cast<MemberExpr>(E))
      if (const auto* Field = dyn_cast<FieldDecl>(Member->getMemberDecl()))
        return readPart(Member->getBase(), Field->getFieldIndex(), E);
    return unknown(E);
  }

private:
  static Reading loss(FormOfLoss Form) {
    switch (Form.Form) {
    case LossForm::Mean:
      return {Reading::Mean, Form.Where};
    case LossForm::Sum:
      return {Reading::Sum, Form.Where};
    case LossForm::Weighted:
      return {Reading::Weighted, Form.Where};
    case LossForm::Unknown:
      break;
    }
    return unknown(Form.Where);
  }

  /// `fc->weight` of one of libtorch's layers.
  bool isParameterField(const Expr* E) const {
    const auto* Member = dyn_cast<MemberExpr>(E);
    return Member && isTensor(E->getType()) && isModule(Member->getBase()->getType()) &&
           !Body.Src.inProject(Member->getMemberDecl()->getLocation());
  }

  Reading readNumber(const Expr* E) {
    if (const auto* Cast = dyn_cast<ExplicitCastExpr>(E))
      return read(Cast->getSubExpr());
    if (itemObject(E))
      return {Reading::Local, E};
    if (countsRows(Body.Src.ast(), E))
      return {Reading::RowCount, E};
    if (const auto* Ref = dyn_cast<DeclRefExpr>(E))
      return readNumberVariable(Ref);
    const auto* Binary = dyn_cast<BinaryOperator>(E);
    if (!Binary)
      return {Reading::Number, E};
    Reading L = read(Binary->getLHS()), R = read(Binary->getRHS());
    if (L.Is == Reading::Number && R.Is == Reading::Number)
      return {Reading::Number, E};
    // Rows times columns.
    bool Scaled = Binary->getOpcode() == BO_Mul &&
                  (L.Is == Reading::Number || R.Is == Reading::Number) && L.Is != R.Is &&
                  (L.Is == Reading::RowCount || R.Is == Reading::RowCount);
    return {Scaled ? Reading::RowCount : Reading::Local, E};
  }

  Reading readNumberVariable(const DeclRefExpr* Ref) {
    const auto* Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (!Var)
      return {Reading::Number, Ref};
    if (auto It = Arguments.find(Var); It != Arguments.end())
      return Outer->read(It->second);
    if (isa<ParmVarDecl>(Var) || Var->hasGlobalStorage() || !Var->getInit() ||
        !Visiting.insert(Var).second)
      return {Reading::Number, Ref};
    Reading Result = read(Var->getInit());
    for (const Write& W : Writes)
      if (W.Target == Var && W.Value && read(W.Value).Is != Reading::Number)
        Result = {Reading::Local, Ref};
    Visiting.erase(Var);
    return Result;
  }

  Reading readVariable(const DeclRefExpr* Ref) {
    if (const auto* Binding = dyn_cast<BindingDecl>(Ref->getDecl()))
      return readBinding(Ref, Binding);
    const auto* Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (auto It = Arguments.find(Var); Var && It != Arguments.end())
      return Outer->read(It->second);
    if (!Var || isa<ParmVarDecl>(Var) || Var->hasGlobalStorage())
      return unknown(Ref);
    if (const Expr* Range = rangeOf(Var))
      return isParameterList(Range) ? Reading{Reading::Fixed, Ref} : readElements(Range, Ref);
    if (!Visiting.insert(Var).second)
      return {Reading::Number, Ref}; // `loss = loss + …`: what it held before is read elsewhere
    Reading Result{Reading::Number, Ref};
    if (Var->getInit() && !isDefaultTensor(Var->getInit()))
      Result = read(Var->getInit());
    for (const Write& W : Writes)
      if (W.Target == Var)
        Result = afterWrite(W, Result);
    Visiting.erase(Var);
    return Result;
  }

  /// What a variable is after \p W.
  Reading afterWrite(const Write& W, Reading Before) {
    if (!W.Value)
      return unknown(W.Where);
    const auto* Operator = dyn_cast<CXXOperatorCallExpr>(W.Where);
    Reading Value = read(W.Value);
    switch (Operator ? Operator->getOperator() : OO_None) {
    case OO_StarEqual:
      return multiply(Before, Value, W.Where);
    case OO_SlashEqual:
      return divide(Before, Value, W.Where);
    case OO_PlusEqual:
    case OO_MinusEqual:
      return add(Before, Value, W.Where);
    default:
      return either(Before, Value, W.Where);
    }
  }

  /// `auto [loss, accuracy] = evaluate(…)`: that part of what the function returns.
  Reading readBinding(const DeclRefExpr* Ref, const BindingDecl* Binding) {
    const auto* Whole = dyn_cast_or_null<DecompositionDecl>(Binding->getDecomposedDecl());
    const auto* Call =
        Whole && Whole->getInit() ? dyn_cast<CallExpr>(written(Whole->getInit())) : nullptr;
    if (!Call || !Call->getDirectCallee())
      return unknown(Ref);
    const auto* Known = llvm::find(Whole->bindings(), Binding);
    return readProjectFunction(Call, Call->getDirectCallee(), Known - Whole->bindings().begin());
  }

  /// Part number \p Part of a local variable that a function of the project returned: a field, an
  /// element.
  Reading readPart(const Expr* Whole, unsigned Part, const Expr* E) {
    const auto* Var = dyn_cast_or_null<VarDecl>(plainVariable(Whole));
    const auto* Call = Var && Var->isLocalVarDecl() && Var->getInit()
                           ? dyn_cast<CallExpr>(written(Var->getInit()))
                           : nullptr;
    bool Changed = llvm::any_of(Writes, [&](const Write& W) { return W.Target == Var; });
    if (!Call || !Call->getDirectCallee() || Changed)
      return unknown(E);
    return readProjectFunction(Call, Call->getDirectCallee(), Part);
  }

  /// The range that \p Var is the loop variable of.
  const Expr* rangeOf(const VarDecl* Var) const {
    const Expr* Range = nullptr;
    Body.forEach<CXXForRangeStmt>([&](const CXXForRangeStmt* For) {
      if (For->getLoopVariable() == Var)
        Range = For->getRangeInit();
    });
    return Range;
  }

  /// The tensors in a list that is written out, or in a variable: all that is put into it.
  Reading readElements(const Expr* List, const Expr* Where) {
    Reading Result{Reading::Number, Where};
    bool Any = false;
    auto Take = [&](const Expr* Element) {
      Result = either(Result, read(Element), Where);
      Any = true;
    };
    if (const auto* Var = dyn_cast_or_null<VarDecl>(plainVariable(List)))
      Body.forEach<CXXMemberCallExpr>([&](const CXXMemberCallExpr* E) {
        const CXXMethodDecl* Method = E->getMethodDecl();
        if (Method && Method->getDeclName().isIdentifier() && E->getNumArgs() == 1 &&
            (Method->getName() == "push_back" || Method->getName() == "emplace_back") &&
            plainVariable(E->getImplicitObjectArgument()) == Var)
          Take(E->getArg(0));
      });
    else if (const InitListExpr* Written = listIn(List))
      for (const Expr* Element : Written->inits())
        Take(Element);
    return Any && Result.Is != Reading::Number ? Result : unknown(Where);
  }

  Reading readOperator(const CXXOperatorCallExpr* E) {
    switch (E->getOperator()) {
    case OO_Plus:
    case OO_Minus:
      return E->getNumArgs() == 1 ? read(E->getArg(0))
                                  : add(read(E->getArg(0)), read(E->getArg(1)), E);
    case OO_Star:
      return E->getNumArgs() == 1 ? unknown(E)
                                  : multiply(read(E->getArg(0)), read(E->getArg(1)), E);
    case OO_Slash:
      return divide(read(E->getArg(0)), read(E->getArg(1)), E);
    case OO_Call:
      return readCallOperator(E);
    case OO_Subscript: {
      Expr::EvalResult Index;
      if (isTensor(E->getArg(0)->getType()) || E->getArg(1)->isValueDependent() ||
          !E->getArg(1)->EvaluateAsInt(Index, Body.Src.ast()))
        return unknown(E);
      return readPart(E->getArg(0), Index.Val.getInt().getZExtValue(), E);
    }
    default:
      return unknown(E);
    }
  }

  /// A lambda, a functor of the project, or a loss module of libtorch's.
  Reading readCallOperator(const CXXOperatorCallExpr* E) {
    const FunctionDecl* Callee = E->getDirectCallee();
    if (Callee && Body.Src.inProject(Callee->getLocation()))
      return readProjectFunction(E, Callee);
    if (const FunctionDecl* Forward = forwardOf(written(E->getArg(0))->getType()))
      return readProjectFunction(E, Forward);
    return loss(Losses.module(E, E->getArg(0)));
  }

  /// `forward` of a module of the project, which its holder's operator() calls.
  const FunctionDecl* forwardOf(QualType T) const {
    T = T.getNonReferenceType();
    const CXXRecordDecl* Class = T->getAsCXXRecordDecl();
    if (!Class || !Class->hasDefinition())
      return nullptr;
    for (const CXXBaseSpecifier& Base : Class->bases())
      if (const auto* Holder = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
              Base.getType()->getAsCXXRecordDecl());
          Holder && Holder->getName() == "ModuleHolder")
        if (const CXXRecordDecl* Held =
                Holder->getTemplateArgs()[0].getAsType()->getAsCXXRecordDecl())
          for (const CXXMethodDecl* Method : Held->methods())
            if (Method->getDeclName().isIdentifier() && Method->getName() == "forward" &&
                Body.Src.inProject(Method->getLocation()))
              return Method;
    return nullptr;
  }

  Reading readMethod(const CXXMemberCallExpr* E) {
    const CXXMethodDecl* Method = E->getMethodDecl();
    const Expr* Object = E->getImplicitObjectArgument();
    if (!Method || !Method->getDeclName().isIdentifier())
      return unknown(E);
    if (Body.Src.inProject(Method->getLocation()))
      return readProjectFunction(E, Method);
    llvm::StringRef Name = Method->getName();
    if (isModule(Object->getType()))
      return loss(Losses.module(E, Object));
    if (!isTensor(Object->getType()))
      return unknown(E);
    if (Name == "mean" || Name == "sum")
      return reduce(E, Name, Object, writtenArgument(E, 0));
    if (keepsForm(Name))
      return read(Object);
    if (Name == "add" || Name == "sub" || Name == "mul" || Name == "div") {
      if (E->getNumArgs() == 0)
        return unknown(E);
      Reading L = read(Object), R = read(E->getArg(0));
      return Name == "mul" ? multiply(L, R, E) : Name == "div" ? divide(L, R, E) : add(L, R, E);
    }
    Reading Of = read(Object);
    return Of.Is == Reading::Fixed ? Of : unknown(E);
  }

  /// `mean()` or `sum()` of \p Of, over the dimensions \p Over where they're given.
  Reading reduce(const Expr* E, llvm::StringRef Name, const Expr* Of, const Expr* Over) {
    Reading Inner = read(Of);
    // Reduced over the rows already: what is left makes no difference.
    if (Inner.isLoss() || Inner.Is == Reading::Fixed)
      return Inner;
    if (Over && Over->getType()->isEnumeralType())
      Over = nullptr; // a dtype
    if (Over && !isDimensionZero(Body.Src.ast(), Over))
      return unknown(E);
    if (selectsRows(Of))
      return {Name == "mean" ? Reading::Weighted : Reading::Sum, E};
    return {Name == "mean" ? Reading::Mean : Reading::Sum, E};
  }

  Reading readCall(const CallExpr* E) {
    const FunctionDecl* Callee = E->getDirectCallee();
    if (!Callee || !Callee->getDeclName().isIdentifier())
      return unknown(E);
    if (Body.Src.inProject(Callee->getLocation()))
      return readProjectFunction(E, Callee);
    llvm::StringRef Name = Callee->getName();
    if ((Name == "mean" || Name == "sum") && E->getNumArgs() > 0)
      return reduce(E, Name, E->getArg(0), writtenArgument(E, 1));
    if (Name == "stack" || Name == "cat")
      return E->getNumArgs() > 0 ? readElements(E->getArg(0), E) : unknown(E);
    if (Name == "norm" && E->getNumArgs() > 0 && read(E->getArg(0)).Is == Reading::Fixed)
      return {Reading::Fixed, E};
    if ((Name == "zeros" || Name == "tensor" || Name == "scalar_tensor") &&
        isStart(Body.Src.ast(), E))
      return {Reading::Number, E};
    if (Name == "neg" && E->getNumArgs() > 0)
      return read(E->getArg(0));
    return loss(Losses.function(E, Callee));
  }

  /// A function of the project that computes the loss: its return statements, where they are plain.
  /// With \p Part: that part of the tuple which they return.
  Reading readProjectFunction(const CallExpr* E, const FunctionDecl* Callee,
                              std::optional<unsigned> Part = std::nullopt) {
    const FunctionDecl* Definition = nullptr;
    if (!Callee->hasBody(Definition) || Definition->isDependentContext() || Depth == 0)
      return unknown(E);
    Facts Unused;
    FunctionBody Inner(Body.Src, Definition, Unused);
    FormReader Reader(Inner, Depth - 1);
    Reader.Outer = this;
    unsigned Skip = isa<CXXOperatorCallExpr>(E) ? 1 : 0;
    for (unsigned I = Skip; I < E->getNumArgs() && I - Skip < Definition->getNumParams(); ++I)
      if (!isa<CXXDefaultArgExpr>(E->getArg(I)))
        Reader.Arguments[Definition->getParamDecl(I - Skip)] = E->getArg(I);
    Reading Result{Reading::Number, E};
    Inner.forEach<ReturnStmt>([&](const ReturnStmt* Return) {
      const Expr* Value = Return->getRetValue();
      if (!Value || Inner.enclosing<LambdaExpr>(Return))
        return;
      if (Part)
        Value = partOf(Value, *Part);
      Reading One = Value ? Reader.read(Value) : unknown(E);
      Result = either(Result, {One.Is, E}, E);
    });
    return Result.Is == Reading::Number ? unknown(E) : Result;
  }

  const FunctionBody& Body;
  std::vector<Write> Writes;
  Criteria Losses;
  unsigned Depth;
  FormReader* Outer = nullptr;
  /// What the caller gave for the parameters, to be read by Outer.
  std::map<const VarDecl*, const Expr*> Arguments;
  std::set<const VarDecl*> Visiting;
};

} // namespace

FormOfLoss lossForm(const FunctionBody& Body, const Expr* Loss) {
  // How far a loss is followed into functions.
  const unsigned Depth = 4;
  Reading Result = FormReader(Body, Depth).read(Loss);
  const Expr* Where = Result.Where ? Result.Where : Loss;
  switch (Result.Is) {
  case Reading::Mean:
    return {LossForm::Mean, Where};
  case Reading::Sum:
    return {LossForm::Sum, Where};
  case Reading::Weighted:
    return {LossForm::Weighted, Where};
  default:
    return {LossForm::Unknown, Where};
  }
}

} // namespace accel_rewrite
