#include "discover/TensorTypes.h"
#include "discover/LoopShape.h"
#include "discover/Types.h"
#include "discover/Uniform.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace accel_rewrite {

static const CXXRecordDecl* recordOf(QualType T) {
  if (T.isNull())
    return nullptr;
  T = T.getNonReferenceType();
  return T->isPointerType() ? T->getPointeeCXXRecordDecl() : T->getAsCXXRecordDecl();
}

bool isScriptModule(QualType T) {
  const CXXRecordDecl* Record = recordOf(T);
  return Record && Record->getName() == "Module" &&
         Record->getQualifiedNameAsString() == "torch::jit::Module";
}

template <typename Predicate>
static bool anyTypeArgument(const ClassTemplateSpecializationDecl* Record, Predicate Is) {
  for (const TemplateArgument& Argument : Record->getTemplateArgs().asArray()) {
    if (Argument.getKind() == TemplateArgument::Type && Is(Argument.getAsType()))
      return true;
    if (Argument.getKind() == TemplateArgument::Pack)
      for (const TemplateArgument& Part : Argument.pack_elements())
        if (Part.getKind() == TemplateArgument::Type && Is(Part.getAsType()))
          return true;
  }
  return false;
}

bool holdsTensors(QualType T, unsigned Depth) {
  const CXXRecordDecl* Record = recordOf(T);
  if (!Record || Depth > 3)
    return false;
  if (isTensor(Record->getTypeForDecl()->getCanonicalTypeInternal()) ||
      Record->getName() == "IValue" || Record->getName() == "TensorIndex")
    return true;
  if (isModule(T) || isOptimizer(T))
    return false;
  if (const auto* Template = dyn_cast<ClassTemplateSpecializationDecl>(Record))
    if (anyTypeArgument(Template, [&](QualType Part) { return holdsTensors(Part, Depth + 1); }))
      return true;
  if (!Record->hasDefinition() || Record->isInStdNamespace())
    return false;
  for (const FieldDecl* Field : Record->fields())
    if (holdsTensors(Field->getType(), Depth + 1))
      return true;
  return false;
}

bool isDivisible(const Source& Src, QualType T) {
  if (isTensor(T))
    return true;
  const auto* Template = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      T.isNull() ? nullptr : T.getNonReferenceType()->getAsCXXRecordDecl());
  if (!Template)
    return false;
  bool Known = llvm::StringSwitch<bool>(Template->getName())
                   .Cases("tuple", "pair", "array", "optional", true)
                   .Case("Example", !Src.inProject(Template->getLocation()))
                   .Default(false);
  // A vector of tensors may be a batch of rows, or several tensors with all rows each.
  return Known && !anyTypeArgument(Template, [&](QualType Part) {
           return holdsTensors(Part) && !isDivisible(Src, Part);
         });
}

bool isInt(const FunctionBody& Body, const Expr* E, int64_t& Value) {
  Expr::EvalResult Result;
  if (E->isValueDependent() || !E->getType()->isIntegralOrEnumerationType() ||
      !E->EvaluateAsInt(Result, Body.Src.ast()))
    return false;
  Value = Result.Val.getInt().getExtValue();
  return true;
}

/// The first entry of `{a, b, …}`, however it is wrapped; null where there is no such list.
static const InitListExpr* listIn(const Expr* E) {
  E = written(E);
  if (const auto* List = dyn_cast<InitListExpr>(E))
    return List;
  if (const auto* List = dyn_cast<CXXStdInitializerListExpr>(E))
    return listIn(List->getSubExpr());
  if (const auto* Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
    return listIn(Temporary->getSubExpr());
  if (const auto* Construct = dyn_cast<CXXConstructExpr>(E); Construct && Construct->getNumArgs())
    return listIn(Construct->getArg(0));
  return nullptr;
}

static const Expr* firstEntry(const Expr* E) {
  const InitListExpr* List = listIn(E);
  return List && List->getNumInits() ? written(List->getInit(0)) : nullptr;
}

/// Whether another dimension becomes the first: `x.t()`, `x.permute({2, 0, 1})`.
static bool movesRows(const FunctionBody& Body, const CXXMemberCallExpr* E, llvm::StringRef Name) {
  int64_t Dim = 0;
  if (Name == "t" || Name == "t_" || Name == "numpy_T")
    return true;
  if (Name == "permute" && E->getNumArgs() == 1) {
    const Expr* First = firstEntry(E->getArg(0));
    return !First || !isInt(Body, First, Dim) || Dim != 0;
  }
  if (!Name.starts_with("transpose") && !Name.starts_with("swapaxes"))
    return false;
  return std::any_of(E->arg_begin(), E->arg_end(),
                     [&](const Expr* Argument) { return !isInt(Body, Argument, Dim) || Dim == 0; });
}

RowUse rowUse(const FunctionBody& Body, const CXXMemberCallExpr* E) {
  llvm::StringRef Name =
      E->getMethodDecl()->getDeclName().isIdentifier() ? E->getMethodDecl()->getName() : "";
  int64_t Dim = 0;
  bool HasDim = E->getNumArgs() > 0 && isInt(Body, E->getArg(0), Dim);
  if (Name == "slice" || Name == "narrow" || Name == "index_select" || Name == "chunk")
    return RowUse::Picks;
  if (Name == "select")
    return HasDim && Dim > 0 ? RowUse::Keeps : RowUse::TakesOne;
  if (Name.starts_with("unsqueeze")) // A row becomes a batch of one.
    return HasDim && Dim == 0 ? RowUse::TakesOne : RowUse::Keeps;
  if (movesRows(Body, E, Name))
    return RowUse::Moves;
  if (Name == "index" && E->getNumArgs() == 1) {
    const Expr* First = firstEntry(E->getArg(0));
    if (!First)
      return RowUse::Picks;
    return First->getType()->isIntegralOrEnumerationType() ? RowUse::TakesOne : RowUse::Picks;
  }
  bool Reduces = llvm::StringSwitch<bool>(Name)
                     .Cases("mean", "std", "var", "norm", "max", "min", "median", true)
                     .Cases("cumsum", "flip", "sort", "argsort", "roll", "quantile", true)
                     .Default(false);
  if (Reduces && (!HasDim || Dim == 0))
    return RowUse::Mixes;
  return RowUse::Keeps;
}

bool mixesRows(const FunctionBody& Body, const Expr* E) {
  E = written(E);
  if (const auto* Method = dyn_cast<CXXMemberCallExpr>(E);
      Method && Method->getMethodDecl() &&
      isTensor(Method->getImplicitObjectArgument()->getType()) &&
      rowUse(Body, Method) == RowUse::Mixes)
    return true;
  if (const auto* Call = dyn_cast<CallExpr>(E);
      Call && Call->getDirectCallee() && !isa<CXXMemberCallExpr>(Call) &&
      Call->getDirectCallee()->getDeclName().isIdentifier() && isTensor(Call->getType()) &&
      llvm::StringSwitch<bool>(Call->getDirectCallee()->getName())
          .Cases("mean", "std", "var", "norm", "max", "min", true)
          .Default(false))
    return true;
  for (const Stmt* Child : E->children())
    if (const auto* Part = dyn_cast_or_null<Expr>(Child); Part && mixesRows(Body, Part))
      return true;
  return false;
}

static bool mentionsSize(const FunctionBody& Body, const Expr* E, const Stmt* Scope,
                         unsigned Depth = 0) {
  E = written(E);
  if (const auto* Call = dyn_cast<CXXMemberCallExpr>(E);
      Call && Call->getMethodDecl()->getDeclName().isIdentifier() &&
      Call->getMethodDecl()->getName().starts_with("size"))
    return true;
  if (const auto* Var = dyn_cast_or_null<VarDecl>(plainVariable(E));
      Var && Var->getInit() && Depth < 4 &&
      (!Scope || Body.Src.span(Scope).contains(Body.Src.pointAt(Var->getLocation()))) &&
      mentionsSize(Body, Var->getInit(), Scope, Depth + 1))
    return true;
  for (const Stmt* Child : E->children())
    if (const auto* Part = dyn_cast_or_null<Expr>(Child);
        Part && mentionsSize(Body, Part, Scope, Depth))
      return true;
  return false;
}

const Expr* fixedRows(const FunctionBody& Body, const CXXMemberCallExpr* E, const Stmt* Scope) {
  llvm::StringRef Name =
      E->getMethodDecl()->getDeclName().isIdentifier() ? E->getMethodDecl()->getName() : "";
  if ((Name != "view" && Name != "reshape" && Name != "expand") || E->getNumArgs() == 0)
    return nullptr;
  const Expr* First = firstEntry(E->getArg(0));
  if (!First)
    First = written(E->getArg(0));
  if (!First->getType()->isIntegralOrEnumerationType() || mentionsSize(Body, First, Scope))
    return nullptr;
  int64_t Value = 0;
  return isInt(Body, First, Value) && Value == -1 ? nullptr : First;
}

/// `{}`, however it is wrapped.
static bool isEmptyList(const Expr* E) {
  E = written(E);
  if (const auto* List = dyn_cast<InitListExpr>(E))
    return List->getNumInits() == 0;
  if (const auto* List = dyn_cast<CXXStdInitializerListExpr>(E))
    return isEmptyList(List->getSubExpr());
  if (const auto* Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
    return isEmptyList(Temporary->getSubExpr());
  const auto* Construct = dyn_cast<CXXConstructExpr>(E);
  return Construct && (Construct->getNumArgs() == 0 ||
                       (Construct->getNumArgs() == 1 && isEmptyList(Construct->getArg(0))));
}

llvm::ArrayRef<const Expr*> createdSizes(const CallExpr* E) {
  const FunctionDecl* Callee = E->getDirectCallee();
  for (unsigned I = 0; Callee && I < E->getNumArgs() && I < Callee->getNumParams(); ++I)
    if (Callee->getParamDecl(I)->getName().starts_with("size"))
      if (const InitListExpr* List = listIn(E->getArg(I)))
        return {List->getInits(), List->getNumInits()};
  return {};
}

static Creation ofSizes(const FunctionBody& Body, const CallExpr* E) {
  for (unsigned I = 0; I < E->getNumArgs() && I < E->getDirectCallee()->getNumParams(); ++I) {
    llvm::StringRef Param = E->getDirectCallee()->getParamDecl(I)->getName();
    if (!Param.starts_with("size"))
      continue;
    if (isEmptyList(E->getArg(I)))
      return Creation::Scalar;
    const Expr* First = firstEntry(E->getArg(I));
    if (!First)
      First = written(E->getArg(I));
    int64_t Rows = 0;
    return First->getType()->isIntegralOrEnumerationType() && isInt(Body, First, Rows) && Rows <= 1
               ? Creation::Scalar
               : Creation::Rows;
  }
  return Creation::Rows;
}

Creation creation(const FunctionBody& Body, const CallExpr* E) {
  llvm::StringRef Name = E->getDirectCallee()->getName();
  if (!isTensor(E->getType()))
    return Creation::None;
  if (Name.ends_with("_like") && E->getNumArgs() > 0)
    return Creation::Like;
  if (Name == "stack" || Name == "cat" || Name == "concat" || Name == "vstack") {
    int64_t Dim = 0;
    bool Other = E->getNumArgs() > 1 && !isa<CXXDefaultArgExpr>(E->getArg(1)) &&
                 (!isInt(Body, E->getArg(1), Dim) || Dim != 0);
    return Other ? Creation::None : Creation::Joined;
  }
  if (Name == "tensor" || Name == "scalar_tensor")
    return E->getNumArgs() > 0 && written(E->getArg(0))->getType()->isArithmeticType()
               ? Creation::Scalar
               : Creation::Rows;
  if (Name == "randn" || Name == "rand" || Name == "zeros" || Name == "ones" || Name == "full" ||
      Name == "empty" || Name == "randint")
    return ofSizes(Body, E);
  if (Name == "from_blob")
    return Creation::Rows;
  if (Name == "eye" || Name == "arange" || Name == "linspace" || Name == "randperm" ||
      Name == "range")
    return Creation::Other;
  return Creation::None;
}

static bool bodyUsesModel(const Source& Src, const Stmt* S) {
  if (const auto* Method = dyn_cast<CXXMemberCallExpr>(S);
      Method && Method->getImplicitObjectArgument() &&
      (isModule(Method->getImplicitObjectArgument()->getType()) ||
       isScriptModule(Method->getImplicitObjectArgument()->getType())))
    return true;
  if (const auto* Operator = dyn_cast<CXXOperatorCallExpr>(S);
      Operator && Operator->getOperator() == OO_Call && isModule(Operator->getArg(0)->getType()))
    return true;
  for (const Stmt* Child : S->children())
    if (Child && bodyUsesModel(Src, Child))
      return true;
  return false;
}

bool usesModel(const Source& Src, const CallExpr* E) {
  if (const auto* Method = dyn_cast<CXXMemberCallExpr>(E);
      Method && Method->getImplicitObjectArgument() &&
      (isModule(Method->getImplicitObjectArgument()->getType()) ||
       isScriptModule(Method->getImplicitObjectArgument()->getType())))
    return true;
  for (const Expr* Argument : E->arguments())
    if (isModule(Argument->getType()))
      return true;
  const FunctionDecl* Callee = E->getDirectCallee();
  const FunctionDecl* Definition = nullptr;
  return Callee && Src.inProject(Callee->getLocation()) && Callee->hasBody(Definition) &&
         !Definition->isDependentContext() && bodyUsesModel(Src, Definition->getBody());
}

static bool asksForGradient(const Stmt* S) {
  const NamedDecl* Callee = nullptr;
  if (const auto* Method = dyn_cast<CXXMemberCallExpr>(S))
    Callee = Method->getMethodDecl();
  else if (const auto* Call = dyn_cast<CallExpr>(S))
    Callee = Call->getDirectCallee();
  if (Callee && Callee->getDeclName().isIdentifier() && Callee->getName().contains("requires_grad"))
    return true;
  for (const Stmt* Child : S->children())
    if (Child && asksForGradient(Child))
      return true;
  return false;
}

bool isTrained(const FunctionBody& Body, const ValueDecl* D) {
  if (!isTensor(D->getType()))
    return false;
  const auto* Var = dyn_cast<VarDecl>(D);
  if (Var && Var->getInit() && asksForGradient(Var->getInit()))
    return true;
  bool Result = false;
  Body.forEach<CXXMemberCallExpr>([&](const CXXMemberCallExpr* E) {
    Result |= E->getMethodDecl() && E->getMethodDecl()->getDeclName().isIdentifier() &&
              E->getMethodDecl()->getName().contains("requires_grad_") &&
              plainVariable(E->getImplicitObjectArgument()) == D;
  });
  return Result;
}

const Expr* rangeOf(const FunctionBody& Body, const ValueDecl* D) {
  const Expr* Result = nullptr;
  Body.forEach<CXXForRangeStmt>([&](const CXXForRangeStmt* For) {
    if (For->getLoopVariable() == D)
      Result = For->getRangeInit();
  });
  return Result;
}

bool isLoopVariable(const FunctionBody& Body, const ValueDecl* D) {
  return rangeOf(Body, D) != nullptr;
}

bool isEmptyTensor(const VarDecl* Var) {
  if (!Var->getInit())
    return true;
  const auto* Construct = dyn_cast<CXXConstructExpr>(Var->getInit()->IgnoreImplicit());
  return Construct && Construct->getNumArgs() == 0;
}

} // namespace accel_rewrite
