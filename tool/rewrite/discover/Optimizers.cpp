//===- Optimizers.cpp - Where optimizers are made, and where they go ------===//
#include "discover/FunctionBody.h"
#include "discover/OptimizerExpr.h"
#include "discover/OptimizerModels.h"
#include "discover/Types.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Index/USRGeneration.h"

using namespace clang;

namespace accel_rewrite {

namespace {

using Form = OptimizerVariable::Form;

/// Reads one function's body, or one initialiser outside of functions.
class OptimizerReader {
public:
  OptimizerReader(const Source& Src, const FunctionBody* Body, Facts& Out)
      : Src(Src), Body(Body), Out(Out) {}

  void readBody() {
    Body->forEachVariable(
        [&](const VarDecl* Var, const DeclStmt* Statement) { variable(Var, Statement); });
    Body->forEach<CXXForRangeStmt>([&](const CXXForRangeStmt* For) {
      if (For->getRangeInit())
        flow(For->getLoopVariable(), For->getRangeInit());
    });
    Body->forEach<CallExpr>([&](const CallExpr* E) { call(E); });
    Body->forEach<CXXConstructExpr>(
        [&](const CXXConstructExpr* E) { arguments(E->getConstructor(), E->arguments()); });
    Body->forEach<InitListExpr>([&](const InitListExpr* E) { aggregate(E); });
    Body->forEach<BinaryOperator>([&](const BinaryOperator* E) {
      if (E->getOpcode() == BO_Assign && holds(E->getType()) != Hold::None)
        flow(optimizerValue(Src, E->getLHS()), E->getRHS());
    });
    Body->forEach<ReturnStmt>([&](const ReturnStmt* S) { result(S); });
    if (const auto* Constructor = dyn_cast<CXXConstructorDecl>(Body->Decl))
      for (const CXXCtorInitializer* Init : Constructor->inits())
        if (Init->isWritten() && Init->isAnyMemberInitializer())
          member(Init->getAnyMember(), Init->getInit());
    signature();
  }

  /// A field, or a variable outside of functions.
  void outside(const DeclaratorDecl* D) {
    if (holds(D->getType()) == Hold::None)
      return;
    holder(D, D->getTypeSourceInfo()->getTypeLoc(), D->getType());
    const auto* Field = dyn_cast<FieldDecl>(D);
    const auto* Var = dyn_cast<VarDecl>(D);
    const Expr* Init = Field ? Field->getInClassInitializer() : Var->getInit();
    if (!Init)
      return;
    size_t Before = Out.Optimizers.size();
    member(D, Init);
    for (size_t I = Before; I < Out.Optimizers.size(); ++I)
      if (Field) {
        llvm::SmallString<128> USR;
        index::generateUSRForDecl(Field->getParent(), USR);
        Out.Optimizers[I].Class = std::string(USR);
      } else {
        Out.Optimizers[I].Made = Form::Unsupported;
        Out.Optimizers[I].Obstacle = "it is made outside of any function, before main begins";
      }
  }

private:
  /// What an initialiser `(…)` or `{…}` of a class writes out; null for `= …`.
  static const CXXConstructExpr* bracketed(const Expr* Init) {
    Init = Init->IgnoreImplicit();
    if (const auto* List = dyn_cast<InitListExpr>(Init); List && List->getNumInits() == 1)
      Init = List->getInit(0)->IgnoreImplicit();
    const auto* Construct = dyn_cast<CXXConstructExpr>(Init);
    return Construct && !isa<CXXTemporaryObjectExpr>(Construct) &&
                   Construct->getParenOrBraceRange().isValid()
               ? Construct
               : nullptr;
  }

  /// The optimizer that an initialiser in brackets makes in place.
  static const CXXConstructExpr* madeInPlace(const Expr* Init) {
    const CXXConstructExpr* Construct = bracketed(Init);
    return Construct && makesOptimizer(Construct) ? Construct : nullptr;
  }

  void variable(const VarDecl* Var, const DeclStmt* Statement) {
    Hold How = holds(Var->getType());
    if (How == Hold::None || Var->isImplicit())
      return;
    const Expr* Init = Var->getInit();
    const CXXConstructExpr* Direct =
        Init && Var->getInitStyle() != VarDecl::CInit ? bracketed(Init) : nullptr;
    bool Plain = Var->getType()->getAsCXXRecordDecl() && isOptimizer(Var->getType());
    bool Makes = Init && (Direct ? makesOptimizer(Direct) : makesOptimizer(written(Init)));
    if (!(Plain && Makes))
      holder(Var, Var->getTypeSourceInfo()->getTypeLoc(), Var->getType());
    if (!Init || isInRange(Statement))
      return;
    if (const Expr* Pointer = pointerMadeBy(Direct)) {
      describe(Var, Statement, Form::Direct, Pointer, Direct->getParenOrBraceRange());
    } else if (Direct && makesOptimizer(Direct)) {
      describe(Var, Statement, Form::Direct, Direct, Direct->getParenOrBraceRange());
    } else if (Makes && Plain) {
      describe(Var, Statement, How == Hold::Value ? Form::Copy : Form::Value, written(Init),
               written(Init)->getSourceRange());
    } else {
      flow(Var, Init);
      if (const auto* Bindings = dyn_cast<DecompositionDecl>(Var))
        for (const BindingDecl* B : Bindings->bindings())
          if (holds(B->getType()) != Hold::None)
            Out.OptimizerFlows.push_back({Src.key(B), Src.key(Var), {}});
    }
  }

  /// The hidden variables of a range-for, and its loop variable.
  bool isInRange(const DeclStmt* Statement) const {
    return isa_and_nonnull<CXXForRangeStmt>(Body->parent(Statement));
  }

  /// `new T(args)` in the brackets behind a smart pointer's name.
  static const Expr* pointerMadeBy(const CXXConstructExpr* Direct) {
    if (!Direct || pointee(Direct->getType()).isNull() || Direct->getNumArgs() == 0)
      return nullptr;
    const Expr* Argument = written(Direct->getArg(0));
    return isa<CXXNewExpr>(Argument) && makesOptimizer(Argument) ? Argument : nullptr;
  }

  /// A local variable that is declared with the optimizer that it holds.
  void describe(const VarDecl* Var, const DeclStmt* Statement, Form How, const Expr* Made,
                SourceRange Initializer) {
    OptimizerVariable Fact = site(Made, How);
    Fact.Name = Var->getNameAsString();
    Fact.Declarator = Src.span(Var->getSourceRange());
    Fact.Type = Src.span(Var->getTypeSourceInfo()->getTypeLoc().getSourceRange());
    Fact.Initializer = Src.span(Initializer);
    if (!Statement->isSingleDecl())
      Fact.Obstacle = "it is declared together with other variables";
    Out.OptimizerFlows.push_back({Src.key(Var), Fact.Key, Fact.Declarator});
    add(std::move(Fact));
  }

  void member(const ValueDecl* Member, const Expr* Init) {
    if (!Member || holds(Member->getType()) == Hold::None)
      return;
    if (const Expr* Pointer = pointerMadeBy(bracketed(Init))) {
      flowMade(Member, Pointer);
      return;
    }
    const CXXConstructExpr* Construct = madeInPlace(Init);
    if (!Construct) {
      flow(Member, Init);
      return;
    }
    OptimizerVariable Fact = site(Construct, Form::Member);
    Fact.Initializer = Src.span(Construct->getParenOrBraceRange());
    if (const auto* D = dyn_cast<DeclaratorDecl>(Member))
      Fact.Type = Src.span(optimizerIn(D->getTypeSourceInfo()->getTypeLoc()));
    Fact.Name = Member->getNameAsString();
    Out.OptimizerFlows.push_back({Src.key(Member), Fact.Key, Fact.Declarator});
    add(std::move(Fact));
  }

  /// `name(new T(args))` for a smart pointer.
  void flowMade(const ValueDecl* To, const Expr* Made) {
    Out.OptimizerFlows.push_back({Src.key(To), madeNode(Src, Made), Src.span(Made)});
    addMade(Made, false);
  }

  OptimizerVariable site(const Expr* Made, Form How) const {
    OptimizerVariable Fact;
    Fact.Key = madeNode(Src, Made);
    Fact.Made = How;
    Fact.Declarator = Src.span(Made);
    if (!Fact.Declarator.valid())
      Fact.Declarator = Src.pointAt(Made->getExprLoc());
    Fact.Inline = !Body;
    findModels(Src, Body, Made, Fact);
    if (const CXXRecordDecl* Class = madeClass(Made); Class && Class->hasDefinition()) {
      if (Class->hasAttr<FinalAttr>())
        Fact.Obstacle = "its class is final";
      else if (!Class->hasMoveConstructor() || Class->defaultedMoveConstructorIsDeleted())
        Fact.Obstacle = "its class can't be moved";
    }
    if (!Body)
      return Fact;
    Fact.Function = Body->Key;
    if (const Stmt* Statement = statementAround(Made))
      Fact.Statement = Src.statement(Statement);
    Fact.Inline = !Fact.Statement.valid() || Body->enclosing<LambdaExpr>(Made);
    return Fact;
  }

  /// The statement of a block that \p E is in.
  const Stmt* statementAround(const Stmt* E) const {
    for (const Stmt* Up = Body->parent(E); Up; E = Up, Up = Body->parent(Up))
      if (isa<CompoundStmt>(Up))
        return E;
    return nullptr;
  }

  void add(OptimizerVariable Fact) {
    bool NeedsType = Fact.Made == Form::Direct || Fact.Made == Form::New ||
                     Fact.Made == Form::Member || Fact.Made == Form::Emplace;
    if (Fact.Obstacle.empty() && (!Fact.Initializer.valid() || (NeedsType && !Fact.Type.valid())))
      Fact.Obstacle = "its type isn't written where it is made, or in a macro";
    if (!Fact.Obstacle.empty())
      Fact.Made = Form::Unsupported;
    Out.Optimizers.push_back(std::move(Fact));
  }

  /// An optimizer that is made within an expression.
  void addMade(const Expr* Made, bool Released) {
    OptimizerVariable Fact = site(Made, isa<CXXNewExpr>(Made) ? Form::New : Form::Value);
    Fact.Initializer = Src.span(Made);
    Fact.Released = Released;
    if (const auto* New = dyn_cast<CXXNewExpr>(Made))
      Fact.Type = Src.span(New->getAllocatedTypeSourceInfo()->getTypeLoc().getSourceRange());
    add(std::move(Fact));
  }

  void flow(const OptimizerValue& To, const Expr* From) {
    OptimizerValue Value = optimizerValue(Src, From);
    Span Where = Src.pointAt(From->getExprLoc());
    for (const OptimizerNode& T : To.From)
      for (const OptimizerNode& F : Value.From)
        if (!T.empty())
          Out.OptimizerFlows.push_back({T, F, Where});
    for (const Expr* Made : Value.Made)
      addMade(Made, true);
  }

  void flow(const ValueDecl* To, const Expr* From) {
    if (To && From && holds(To->getType()) != Hold::None && Src.inProject(To->getLocation()))
      flow({{Src.key(To)}, {}}, From);
  }

  void call(const CallExpr* E) {
    const FunctionDecl* Callee = E->getDirectCallee();
    if (const auto* Operator = dyn_cast<CXXOperatorCallExpr>(E)) {
      if (Operator->getOperator() == OO_Equal &&
          holds(Operator->getArg(0)->getType()) != Hold::None)
        flow(optimizerValue(Src, Operator->getArg(0)), Operator->getArg(1));
      if (const auto* Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
          Method && Operator->getOperator() == OO_Call)
        arguments(Method, llvm::drop_begin(E->arguments()));
      return;
    }
    if (const auto* Method = dyn_cast<CXXMemberCallExpr>(E)) {
      if (isMethodOf(Method->getMethodDecl(), "torch::optim::Optimizer", "step"))
        step(Method);
      else if (Callee && !Src.inProject(Callee->getLocation()) &&
               holds(Method->getImplicitObjectArgument()->getType()) != Hold::None)
        container(Method);
    }
    arguments(Callee, E->arguments());
    if (isNamed(Callee, "std::make_unique") || isNamed(Callee, "std::make_shared"))
      forwarded(pointee(E->getType()), E->arguments());
  }

  void step(const CXXMemberCallExpr* E) {
    Span Where = Src.span(E);
    flow({{stepNode(Where.valid() ? Where : Src.pointAt(E->getExprLoc()))}, {}},
         E->getImplicitObjectArgument());
  }

  template <typename Range> void arguments(const FunctionDecl* Callee, Range Arguments) {
    if (!Callee || !Src.inProject(Callee->getLocation()))
      return;
    unsigned I = 0;
    for (const Expr* Argument : Arguments)
      if (unsigned Index = I++; Index < Callee->getNumParams())
        flow(Callee->getParamDecl(Index), Argument);
  }

  /// `std::make_shared<Trainer>(…, optimizer)`.
  template <typename Range> void forwarded(QualType To, Range Arguments) {
    const CXXRecordDecl* Class = To.isNull() ? nullptr : To->getAsCXXRecordDecl();
    if (!Class || !Class->hasDefinition() || !Src.inProject(Class->getLocation()))
      return;
    for (const CXXConstructorDecl* Constructor : Class->ctors())
      if (Constructor->getNumParams() == llvm::size(Arguments))
        arguments(Constructor, Arguments);
  }

  /// `State{model, optimizer}`
  void aggregate(const InitListExpr* E) {
    const auto* Record = E->getType()->getAs<RecordType>();
    if (!Record || !E->isSemanticForm() || !Src.inProject(Record->getDecl()->getLocation()))
      return;
    const auto* Class = dyn_cast<CXXRecordDecl>(Record->getDecl());
    unsigned I = Class ? Class->getNumBases() : 0;
    for (const FieldDecl* Field : Record->getDecl()->fields())
      if (unsigned Index = I++;
          Index < E->getNumInits() && !isa<CXXDefaultInitExpr>(E->getInit(Index)))
        flow(Field, E->getInit(Index));
  }

  /// A member function of a container, an optional or a smart pointer.
  void container(const CXXMemberCallExpr* E) {
    OptimizerValue To = optimizerValue(Src, E->getImplicitObjectArgument());
    llvm::StringRef Name = E->getMethodDecl()->getDeclName().isIdentifier()
                               ? E->getMethodDecl()->getName()
                               : llvm::StringRef();
    bool Holder = false;
    for (const Expr* Argument : E->arguments())
      if (holds(Argument->getType()) != Hold::None) {
        flow(To, Argument);
        Holder = true;
      }
    if (!Holder && (Name == "emplace" || Name == "emplace_back" || Name == "emplace_front" ||
                    Name == "try_emplace"))
      emplace(E, To);
  }

  void emplace(const CXXMemberCallExpr* E, const OptimizerValue& To) {
    const CXXRecordDecl* Class = E->getMethodDecl()->getParent();
    unsigned First = Class->getName().contains("map") ? 1 : 0;
    const ValueDecl* Holder = rootOf(E->getImplicitObjectArgument());
    const auto* D = dyn_cast_or_null<DeclaratorDecl>(Holder);
    OptimizerVariable Fact = site(E, Form::Emplace);
    if (D && D->getTypeSourceInfo() && holds(D->getType()) == Hold::Value)
      Fact.Type = Src.span(optimizerIn(D->getTypeSourceInfo()->getTypeLoc()));
    if (First < E->getNumArgs())
      Fact.Initializer = Src.span(SourceRange(E->getArg(First)->getBeginLoc(),
                                              E->getArg(E->getNumArgs() - 1)->getEndLoc()));
    for (const OptimizerNode& Node : To.From)
      if (!Node.empty())
        Out.OptimizerFlows.push_back({Node, Fact.Key, Fact.Declarator});
    add(std::move(Fact));
  }

  void result(const ReturnStmt* S) {
    const auto* Lambda = Body->enclosing<LambdaExpr>(S);
    const FunctionDecl* F = Lambda ? Lambda->getCallOperator() : Body->Decl;
    if (S->getRetValue() && holds(F->getReturnType()) != Hold::None)
      flow({{resultNode(F)}, {}}, S->getRetValue());
  }

  /// What the function returns and takes by value, in each of its declarations.
  void signature() {
    const FunctionDecl* F = Body->Decl;
    if (holds(F->getReturnType()) == Hold::Value)
      for (const FunctionDecl* Declaration : F->redecls())
        if (FunctionTypeLoc Loc = Declaration->getFunctionTypeLoc())
          addHolder(resultNode(F), F->getNameAsString(), Src.pointAt(F->getLocation()),
                    Loc.getReturnLoc());
    for (const FunctionDecl* Declaration : F->redecls())
      for (const ParmVarDecl* Param : Declaration->parameters())
        if (holds(Param->getType()) == Hold::Value && Param->getTypeSourceInfo())
          addHolder(Src.key(F->getParamDecl(Param->getFunctionScopeIndex())),
                    Param->getNameAsString(), Src.pointAt(Param->getLocation()),
                    Param->getTypeSourceInfo()->getTypeLoc());
    if (const auto* Method = dyn_cast<CXXMethodDecl>(F);
        Method && holds(F->getReturnType()) != Hold::None)
      for (const CXXMethodDecl* Base : Method->overridden_methods())
        Out.OptimizerFlows.push_back({resultNode(Base), resultNode(F), {}});
  }

  void holder(const ValueDecl* D, TypeLoc Written, QualType T) {
    if (holds(T) == Hold::Value)
      addHolder(Src.key(D), D->getNameAsString(), Src.pointAt(D->getLocation()), Written);
  }

  void addHolder(OptimizerNode Key, std::string Name, const Span& Where, TypeLoc Written) {
    OptimizerHolder Fact{std::move(Key), std::move(Name), Where, {}};
    if (!Written.getType()->getContainedAutoType())
      Fact.Types.push_back(Src.span(optimizerIn(Written)));
    Out.OptimizerHolders.push_back(std::move(Fact));
  }

  const Source& Src;
  const FunctionBody* Body;
  Facts& Out;
};

} // namespace

void discoverOptimizers(const FunctionBody& Body) {
  OptimizerReader(Body.Src, &Body, Body.Out).readBody();
}

void discoverOptimizer(const Source& Src, const DeclaratorDecl* D, Facts& Out) {
  OptimizerReader(Src, nullptr, Out).outside(D);
}

} // namespace accel_rewrite
