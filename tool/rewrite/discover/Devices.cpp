//===- Devices.cpp - Device variables, and the statements that choose them ===//
//
// A program chooses its device in a few statements: a variable of type
// torch::Device, often one of type torch::DeviceType or bool that helps, an
// if with messages. Those statements are found together, as they go together.
//
//===----------------------------------------------------------------------===//
#include "discover/DeviceExpr.h"
#include "discover/FunctionBody.h"
#include "discover/Types.h"

#include "clang/AST/ExprCXX.h"

#include <set>

using namespace clang;

namespace accel_rewrite {

namespace {

using Variables = std::set<const ValueDecl*>;

class DeviceSetup {
public:
  DeviceSetup(const FunctionBody& Body, const VarDecl* Device) : Body(Body), Device(Device) {}

  DeviceVariable describe() {
    DeviceVariable Fact;
    Fact.Key = Body.Src.key(Device);
    Fact.Name = Device->getNameAsString();
    Fact.Function = Body.Key;
    Chosen = {Device};
    addHelpers();
    collect();
    dropHelpersUsedElsewhere();
    for (const Stmt* S : Statements)
      Fact.Setup.push_back(Body.Src.statement(S));
    if (const Stmt* Declaration = declarationOf(Device))
      Fact.Declaration = Body.Src.statement(Declaration);
    findObstacle(Fact);
    findHost(Fact);
    addOptions();
    return Fact;
  }

  bool contains(const Stmt* S) const {
    for (const Stmt* Setup : Statements)
      if (Body.isInside(S, Setup))
        return true;
    return false;
  }

private:
  const Stmt* declarationOf(const ValueDecl* D) const {
    const Stmt* Result = nullptr;
    Body.forEach<DeclStmt>([&](const DeclStmt* S) {
      if (S->isSingleDecl() && S->getSingleDecl() == D)
        Result = S;
    });
    return Result;
  }

  /// A device, an answer, or a number or a word that the program spells out.
  static bool canHelp(const VarDecl* Var) {
    if (isDeviceLike(Var->getType()) || Var->getType()->isBooleanType())
      return true;
    return Var->getInit() && isa<IntegerLiteral, StringLiteral>(written(Var->getInit()));
  }

  /// Local variables that choosing the device reads, and those that they read in turn.
  void addHelpers() {
    for (bool Grown = true; Grown;) {
      Grown = false;
      Body.forEach<DeclRefExpr>([&](const DeclRefExpr* Ref) {
        const auto* Var = dyn_cast<VarDecl>(Ref->getDecl());
        if (!Var || isa<ParmVarDecl>(Var) || !canHelp(Var) || Chosen.count(Var))
          return;
        for (const ValueDecl* D : Chosen)
          if (Body.isInside(Ref, declarationOf(D)) && declarationOf(D))
            Grown |= Chosen.insert(Var).second;
      });
    }
  }

  void collect() {
    Statements.clear();
    for (const ValueDecl* D : Chosen)
      if (const Stmt* S = declarationOf(D))
        Statements.insert(S);
    Body.forEach<IfStmt>([&](const IfStmt* If) {
      bool Nested = isa_and_nonnull<IfStmt>(Body.parent(If));
      bool Assigns = false;
      if (!Nested && choosesOnly(If, Assigns) && Assigns)
        Statements.insert(If);
    });
    Body.forEach<CXXOperatorCallExpr>([&](const CXXOperatorCallExpr* E) {
      const Stmt* S = Body.asStatement(E);
      bool Asks = false;
      if (S && isa<CompoundStmt>(Body.parent(S)) && isMessage(E, &Asks) && Asks)
        Statements.insert(S);
    });
  }

  /// Whether all that \p S does is to assign chosen variables and to print messages.
  bool choosesOnly(const Stmt* S, bool& Assigns) const {
    if (!S)
      return true;
    if (const auto* Compound = dyn_cast<CompoundStmt>(S)) {
      for (const Stmt* Child : Compound->body())
        if (!choosesOnly(Child, Assigns))
          return false;
      return true;
    }
    if (const auto* If = dyn_cast<IfStmt>(S))
      return !If->getInit() && !If->getConditionVariable() && isQuestion(If->getCond()) &&
             choosesOnly(If->getThen(), Assigns) && choosesOnly(If->getElse(), Assigns);
    const auto* E = dyn_cast<Expr>(S);
    if (!E)
      return false;
    E = written(E);
    const ValueDecl* Target = assignmentTarget(E);
    if (Target && Chosen.count(Target)) {
      Assigns = true;
      return true;
    }
    return isMessage(E);
  }

  static const ValueDecl* assignmentTarget(const Expr* E) {
    if (const auto* Binary = dyn_cast<BinaryOperator>(E);
        Binary && Binary->getOpcode() == BO_Assign)
      return plainVariable(Binary->getLHS());
    if (const auto* Operator = dyn_cast<CXXOperatorCallExpr>(E);
        Operator && Operator->getOperator() == OO_Equal)
      return plainVariable(Operator->getArg(0));
    return nullptr;
  }

  /// A condition that only asks: for a GPU, for a chosen variable.
  bool isQuestion(const Expr* E) const {
    E = written(E);
    if (const auto* Ref = dyn_cast<DeclRefExpr>(E))
      return Chosen.count(Ref->getDecl()) || Ref->getType()->isBooleanType();
    if (const auto* Unary = dyn_cast<UnaryOperator>(E))
      return Unary->getOpcode() == UO_LNot && isQuestion(Unary->getSubExpr());
    if (const auto* Binary = dyn_cast<BinaryOperator>(E))
      return Binary->isLogicalOp() ? isQuestion(Binary->getLHS()) && isQuestion(Binary->getRHS())
                                   : Binary->isComparisonOp() && isPlain(Binary->getLHS()) &&
                                         isPlain(Binary->getRHS());
    if (const auto* Operator = dyn_cast<CXXOperatorCallExpr>(E))
      return (Operator->getOperator() == OO_EqualEqual ||
              Operator->getOperator() == OO_ExclaimEqual) &&
             isPlain(Operator->getArg(0)) && isPlain(Operator->getArg(1));
    if (const auto* Member = dyn_cast<MemberExpr>(E))
      return Member->getType()->isBooleanType() && isPlain(Member);
    const auto* Call = dyn_cast<CallExpr>(E);
    const FunctionDecl* Callee = Call ? Call->getDirectCallee() : nullptr;
    return Callee && Callee->getDeclName().isIdentifier() &&
           Callee->getReturnType()->isBooleanType() &&
           (isNamed(Callee, "torch::cuda::is_available") || Callee->getName().starts_with("has"));
  }

  /// A variable, a member of one, a literal, or the number of GPUs.
  static bool isPlain(const Expr* E) {
    E = written(E);
    if (const auto* Unary = dyn_cast<UnaryOperator>(E))
      return Unary->isArithmeticOp() && isPlain(Unary->getSubExpr());
    if (const auto* Member = dyn_cast<MemberExpr>(E))
      return isPlain(Member->getBase());
    if (const auto* Call = dyn_cast<CallExpr>(E))
      return isNamed(Call->getDirectCallee(), "torch::cuda::device_count");
    return isa<DeclRefExpr, CXXThisExpr, IntegerLiteral, StringLiteral, CXXBoolLiteralExpr>(E);
  }

  /// `std::cout << "…" << std::endl` or `printf("…")`, of literals alone, or of a choice between
  /// literals by a chosen variable.
  bool isMessage(const Expr* E, bool* Asks = nullptr) const {
    E = written(E);
    if (const auto* Operator = dyn_cast<CXXOperatorCallExpr>(E);
        Operator && Operator->getOperator() == OO_LessLess)
      return isMessage(Operator->getArg(0), Asks) && isWord(Operator->getArg(1), Asks);
    if (const auto* Ref = dyn_cast<DeclRefExpr>(E))
      return Ref->getDecl()->isInStdNamespace() &&
             (Ref->getDecl()->getName() == "cout" || Ref->getDecl()->getName() == "cerr");
    const auto* Call = dyn_cast<CallExpr>(E);
    const FunctionDecl* Callee = Call ? Call->getDirectCallee() : nullptr;
    if (!Callee || !Callee->getDeclName().isIdentifier() ||
        (Callee->getName() != "printf" && Callee->getName() != "puts"))
      return false;
    for (const Expr* Argument : Call->arguments())
      if (!isWord(Argument, Asks))
        return false;
    return true;
  }

  bool isWord(const Expr* E, bool* Asks) const {
    E = written(E);
    if (isa<StringLiteral>(E) || isa<CharacterLiteral>(E))
      return true;
    if (const auto* Either = dyn_cast<ConditionalOperator>(E)) {
      const auto* Ref = dyn_cast<DeclRefExpr>(written(Either->getCond()));
      bool IsOurs = Ref && Ref->getDecl() != Device && Chosen.count(Ref->getDecl());
      if (Asks)
        *Asks |= IsOurs;
      return IsOurs && isWord(Either->getTrueExpr(), Asks) && isWord(Either->getFalseExpr(), Asks);
    }
    const auto* Ref = dyn_cast<DeclRefExpr>(E);
    return Ref && Ref->getDecl()->isInStdNamespace() && isa<FunctionDecl>(Ref->getDecl());
  }

  /// A helper that the program also uses for something else stays, with the statements that set
  /// only helpers of that kind.
  void dropHelpersUsedElsewhere() {
    for (bool Dropped = true; Dropped;) {
      Dropped = false;
      Body.forEach<DeclRefExpr>([&](const DeclRefExpr* Ref) {
        if (Ref->getDecl() != Device && Chosen.count(Ref->getDecl()) && !contains(Ref)) {
          Chosen.erase(Ref->getDecl());
          Dropped = true;
        }
      });
      collect();
    }
  }

  void findObstacle(DeviceVariable& Fact) const {
    const Stmt* Declaration = declarationOf(Device);
    for (const Span& S : Fact.Setup)
      if (!S.valid() || !Declaration) {
        Fact.Obstacle = "it is declared together with other variables, or in a macro";
        Fact.ObstacleAt = Body.Src.pointAt(Device->getLocation());
      }
    if (!Declaration || Device->isStaticLocal()) {
      Fact.Obstacle = "it is declared together with other variables, or static";
      Fact.ObstacleAt = Body.Src.pointAt(Device->getLocation());
    }
    Body.forEach<Expr>([&](const Expr* E) {
      if (assignmentTarget(E) == Device && !contains(E)) {
        Fact.Obstacle = "it is assigned again";
        Fact.IsReassigned = true;
        Fact.ObstacleAt = Body.Src.pointAt(E->getBeginLoc());
      }
    });
  }

  /// Whether it's the host and nothing else, by what it is declared with and no later choice.
  void findHost(DeviceVariable& Fact) const {
    Fact.IsHost = Device->getInit() && describeDevice(Body.Src, Device->getInit()).IsHost;
    Body.forEach<Expr>([&](const Expr* E) { Fact.IsHost &= assignmentTarget(E) != Device; });
  }

  /// What comes from outside and decides here.
  void addOptions() const {
    auto Add = [&](const Expr* E, const ValueDecl* D) {
      Span Where = Body.Src.span(E);
      if (contains(E) && !Chosen.count(D) && Where.valid() && isOption(Body.Src, D))
        Body.Out.DeviceOptions.push_back({Body.Key, Where, Body.Src.text(Where)});
    };
    Body.forEach<DeclRefExpr>([&](const DeclRefExpr* E) {
      const auto* Member = dyn_cast_or_null<MemberExpr>(Body.parent(E));
      if (!Member)
        Add(E, E->getDecl());
    });
    Body.forEach<MemberExpr>([&](const MemberExpr* E) { Add(E, E->getMemberDecl()); });
  }

  const FunctionBody& Body;
  const VarDecl* Device;
  Variables Chosen;
  std::set<const Stmt*> Statements;
};

} // namespace

void discoverDevices(const FunctionBody& Body) {
  std::vector<DeviceSetup> Setups;
  auto IsHelper = [&](const DeclStmt* Declaration) {
    return std::any_of(Setups.begin(), Setups.end(),
                       [&](const DeviceSetup& Setup) { return Setup.contains(Declaration); });
  };
  // A torch::DeviceType that helps to choose a torch::Device goes with it.
  for (bool (*IsOfKind)(QualType) : {isDevice, isDeviceType})
    Body.forEachVariable([&](const VarDecl* Var, const DeclStmt* Declaration) {
      if (!IsOfKind(Var->getType()) || (IsOfKind == isDeviceType && IsHelper(Declaration)))
        return;
      Setups.emplace_back(Body, Var);
      DeviceVariable Fact = Setups.back().describe();
      std::sort(Fact.Setup.begin(), Fact.Setup.end(),
                [](const Span& A, const Span& B) { return A.Begin < B.Begin; });
      Body.Out.Devices.push_back(std::move(Fact));
    });
}

} // namespace accel_rewrite
