//===- DeviceValues.cpp - What gives devices their values -----------------===//
#include "discover/DeviceExpr.h"
#include "discover/FunctionBody.h"
#include "discover/Types.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace accel_rewrite {

namespace {

/// Between two brackets.
Span inside(const Source& Src, SourceLocation Open, SourceLocation Close) {
  Span Result = Src.span(SourceRange(Open, Close));
  if (Result.valid()) {
    ++Result.Begin;
    ++Result.Column;
    --Result.End;
  }
  return Result;
}

class ValueReader {
public:
  ValueReader(const Source& Src, FunctionKey Function, Facts& Out)
      : Src(Src), Function(std::move(Function)), Out(Out) {}

  /// \p Value is what \p Entity becomes; \p Where the text to replace, if it isn't just that.
  void add(const ValueDecl* Entity, const Expr* Value, bool Initializes,
           const Span& Where = {}) const {
    if (!Entity || !isDeviceLike(Entity->getType()) || !Src.inProject(Entity->getLocation()) ||
        !Value)
      return;
    DeviceExpr Device = describeDevice(Src, Value);
    DeviceValue Fact;
    Fact.Device = Src.key(Entity);
    Fact.Function = Function;
    Fact.Where = Where.valid() ? Where : Src.span(Value);
    Fact.PointAt = Fact.Where.valid() ? Fact.Where : Src.pointAt(Value->getExprLoc());
    using Form = DeviceValue::Form;
    Fact.Made = Device.Copy         ? Form::Copy
                : Device.IsOfTensor ? Form::OfTensor
                : Device.IsHost     ? Form::Host
                                    : Form::Choice;
    Fact.From = Src.key(Device.Copy);
    Fact.IsType = isDeviceType(Entity->getType());
    Fact.Initializes = Initializes;
    addNumbers(Fact.Device, Value);
    Out.DeviceValues.push_back(std::move(Fact));
    addOptions(Value);
  }

  void addVariable(const VarDecl* Var) const {
    if (!Var->getInit() || isa<ParmVarDecl>(Var))
      return;
    Span Where;
    const Expr* Init = Var->getInit()->IgnoreImplicit();
    if (const auto* Construct = dyn_cast<CXXConstructExpr>(Init);
        Construct && Var->getInitStyle() != VarDecl::CInit)
      if (SourceRange Brackets = Construct->getParenOrBraceRange(); Brackets.isValid())
        Where = inside(Src, Brackets.getBegin(), Brackets.getEnd());
    add(Var, Init, true, Where);
  }

  void addField(const FieldDecl* Field) const {
    const Expr* Init = Field->getInClassInitializer();
    if (!Init)
      return;
    Span Where;
    Init = Init->IgnoreImplicit();
    if (const auto* Construct = dyn_cast<CXXConstructExpr>(Init);
        Construct && Field->getInClassInitStyle() == ICIS_ListInit)
      if (SourceRange Braces = Construct->getParenOrBraceRange(); Braces.isValid())
        Where = inside(Src, Braces.getBegin(), Braces.getEnd());
    add(Field, Init, true, Where);
  }

  void addConstructor(const CXXConstructorDecl* Constructor) const {
    for (const CXXCtorInitializer* Init : Constructor->inits())
      if (Init->isMemberInitializer() && Init->isWritten())
        add(Init->getMember(), Init->getInit(), true,
            inside(Src, Init->getLParenLoc(), Init->getRParenLoc()));
  }

  void addArguments(const FunctionDecl* Callee, const Expr* const* Arguments,
                    unsigned Count) const {
    if (!Callee || !Src.inProject(Callee->getLocation()))
      return;
    const FunctionDecl* Pattern = Callee->getTemplateInstantiationPattern();
    const FunctionDecl* Named = Pattern ? Pattern : Callee;
    const FunctionDecl* Definition = nullptr;
    if (Named->isDefined(Definition))
      Named = Definition;
    for (unsigned I = 0; I < Count && I < Named->getNumParams(); ++I) {
      const Expr* Argument = Arguments[I];
      if (const auto* Default = dyn_cast<CXXDefaultArgExpr>(Argument))
        Argument = Default->getExpr();
      add(Named->getParamDecl(I), Argument, false);
    }
  }

private:
  void addNumbers(const DeclKey& Device, const Expr* Value) const {
    DeviceExpr Chosen = describeDevice(Src, Value);
    if (Chosen.NumberAt)
      Out.DeviceNumbers.push_back(
          {Device, Function, Src.pointAt(Chosen.NumberAt->getExprLoc()), Chosen.Number});
  }

  void addOptions(const Stmt* S) const {
    const ValueDecl* D = nullptr;
    if (const auto* Ref = dyn_cast<DeclRefExpr>(S))
      D = Ref->getDecl();
    else if (const auto* Member = dyn_cast<MemberExpr>(S))
      D = Member->getMemberDecl();
    if (D && isOption(Src, D)) {
      Span Where = Src.span(S);
      if (Where.valid())
        Out.DeviceOptions.push_back({Function, Where, Src.text(Where)});
      return;
    }
    for (const Stmt* Child : S->children())
      if (Child)
        addOptions(Child);
  }

  const Source& Src;
  FunctionKey Function;
  Facts& Out;
};

/// The fields of a struct that is initialised by a list.
void readList(const ValueReader& Reader, const InitListExpr* List) {
  const InitListExpr* Semantic = List->isSemanticForm() ? List : List->getSemanticForm();
  if (!Semantic)
    return;
  const CXXRecordDecl* Record = Semantic->getType()->getAsCXXRecordDecl();
  if (!Record || Record->getNumBases() > 0)
    return;
  unsigned I = 0;
  for (const FieldDecl* Field : Record->fields()) {
    if (I >= Semantic->getNumInits())
      return;
    const Expr* Init = Semantic->getInit(I++);
    if (!isa<CXXDefaultInitExpr, ImplicitValueInitExpr>(Init))
      Reader.add(Field, Init, true);
  }
}

} // namespace

void discoverDeviceValues(const FunctionBody& Body) {
  ValueReader Reader(Body.Src, Body.Key, Body.Out);
  Body.forEachVariable([&](const VarDecl* Var, const DeclStmt*) { Reader.addVariable(Var); });
  Body.forEach<BinaryOperator>([&](const BinaryOperator* E) {
    if (E->getOpcode() == BO_Assign)
      Reader.add(ownEntity(Body.Src, E->getLHS()), E->getRHS(), false);
  });
  Body.forEach<CXXOperatorCallExpr>([&](const CXXOperatorCallExpr* E) {
    if (E->getOperator() == OO_Equal)
      Reader.add(ownEntity(Body.Src, E->getArg(0)), E->getArg(1), false);
  });
  Body.forEach<CallExpr>([&](const CallExpr* E) {
    if (!isa<CXXOperatorCallExpr>(E))
      Reader.addArguments(E->getDirectCallee(), E->getArgs(), E->getNumArgs());
  });
  Body.forEach<CXXConstructExpr>([&](const CXXConstructExpr* E) {
    Reader.addArguments(E->getConstructor(), E->getArgs(), E->getNumArgs());
  });
  Body.forEach<InitListExpr>([&](const InitListExpr* E) { readList(Reader, E); });
  if (const auto* Constructor = dyn_cast<CXXConstructorDecl>(Body.Decl))
    Reader.addConstructor(Constructor);
}

void discoverDeviceValue(const Source& Src, const DeclaratorDecl* D, Facts& Out) {
  ValueReader Reader(Src, {}, Out);
  if (const auto* Field = dyn_cast<FieldDecl>(D))
    Reader.addField(Field);
  else if (const auto* Var = dyn_cast<VarDecl>(D); Var && Var->hasGlobalStorage())
    Reader.addVariable(Var);
}

} // namespace accel_rewrite
