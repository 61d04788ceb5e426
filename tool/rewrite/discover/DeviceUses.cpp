//===- DeviceUses.cpp - Mentions of devices -------------------------------===//
#include "discover/DeviceExpr.h"
#include "discover/FunctionBody.h"
#include "discover/Types.h"

#include "clang/AST/ExprCXX.h"

#include <set>

using namespace clang;

namespace accel_rewrite {

namespace {

bool isMutableReference(QualType T) {
  return T->isLValueReferenceType() && !T.getNonReferenceType().isConstQualified();
}

class UseReader {
public:
  explicit UseReader(const FunctionBody& Body) : Body(Body) {
    Body.forEach<LambdaExpr>([&](const LambdaExpr* Lambda) {
      for (const LambdaCapture& Capture : Lambda->explicit_captures())
        if (Capture.capturesVariable() && !Lambda->isInitCapture(&Capture))
          Captures.insert(Capture.getLocation());
      Defaults.insert(Lambda->getCaptureDefaultLoc());
    });
  }

  /// A capture that `[&]` or `[=]` stands for is written nowhere.
  bool isWritten(const Expr* E) const { return !Defaults.count(E->getExprLoc()); }

  DeviceUse describe(const Expr* E, const ValueDecl* D) const {
    DeviceUse Fact;
    Fact.Device = Body.Src.key(D);
    Fact.Function = Body.Key;
    Fact.Where = Body.Src.span(E);
    if (!Fact.Where.valid())
      Fact.Where = Body.Src.pointAt(E->getExprLoc());
    if (Captures.count(E->getExprLoc()))
      Fact.Use = DeviceUse::As::Capture;
    else if (isDeviceType(D->getType()))
      Fact.Use = becomesDevice(E) ? DeviceUse::As::Device : DeviceUse::As::Type;
    else if (needsVariable(E))
      Fact.Use = DeviceUse::As::Variable;
    Fact.Compared = isDevice(D->getType()) && isCompared(E);
    return Fact;
  }

private:
  /// The node above \p S that isn't a cast or parentheses, and below it the last of those.
  std::pair<const Stmt*, const Stmt*> above(const Stmt* S) const {
    const Stmt* Up = Body.parent(S);
    while (isa_and_nonnull<ImplicitCastExpr, ParenExpr, MaterializeTemporaryExpr>(Up)) {
      S = Up;
      Up = Body.parent(Up);
    }
    return {Up, S};
  }

  /// A DeviceType that is converted to a Device where it stands.
  bool becomesDevice(const Expr* E) const {
    const auto* Construct = dyn_cast_or_null<CXXConstructExpr>(above(E).first);
    return Construct &&
           (Construct->getNumArgs() == 1 || isa<CXXDefaultArgExpr>(Construct->getArg(1)));
  }

  bool needsVariable(const Expr* E) const {
    auto [Up, Below] = above(E);
    if (const auto* Unary = dyn_cast_or_null<UnaryOperator>(Up))
      return Unary->getOpcode() == UO_AddrOf;
    if (const auto* Call = dyn_cast_or_null<CallExpr>(Up))
      return takesReference(Call->getDirectCallee(), Call->getArgs(), Call->getNumArgs(), Below,
                            isa<CXXOperatorCallExpr>(Call));
    if (const auto* Construct = dyn_cast_or_null<CXXConstructExpr>(Up))
      return takesReference(Construct->getConstructor(), Construct->getArgs(),
                            Construct->getNumArgs(), Below, false);
    const auto* Declaration = dyn_cast_or_null<DeclStmt>(Up);
    if (!Declaration)
      return false;
    for (const Decl* D : Declaration->decls())
      if (const auto* Var = dyn_cast<VarDecl>(D); Var && Var->getInit() == Below)
        return isMutableReference(Var->getType());
    return false;
  }

  bool takesReference(const FunctionDecl* Callee, const Expr* const* Arguments, unsigned Count,
                      const Stmt* Argument, bool IsOperator) const {
    // What libtorch takes by a forwarding reference takes a temporary as well.
    bool Ours = Callee && !IsOperator && Body.Src.inProject(Callee->getLocation());
    for (unsigned I = 0; Ours && I < Count && I < Callee->getNumParams(); ++I)
      if (Arguments[I] == Argument)
        return isMutableReference(Callee->getParamDecl(I)->getType());
    return false;
  }

  /// `device == torch::kCUDA`
  bool isCompared(const Expr* E) const {
    auto [Up, Below] = above(E);
    const auto* Operator = dyn_cast_or_null<CXXOperatorCallExpr>(Up);
    if (!Operator || Operator->getNumArgs() != 2 ||
        (Operator->getOperator() != OO_EqualEqual && Operator->getOperator() != OO_ExclaimEqual))
      return false;
    const Expr* Other = Operator->getArg(Operator->getArg(0) == Below ? 1 : 0);
    return isDeviceType(written(Other)->getType());
  }

  const FunctionBody& Body;
  std::set<SourceLocation> Captures;
  std::set<SourceLocation> Defaults;
};

/// The device by name of `torch::device(torch::kCUDA)`, `.device(torch::kCUDA)`,
/// `torch::zeros({2}, torch::kCUDA)`, which are all made into options.
void discoverNamesInOptions(const FunctionBody& Body) {
  auto Add = [&](const Expr* E) {
    E = written(E);
    if (ownEntity(Body.Src, E) || (!isDeviceLike(E->getType()) && !isa<StringLiteral>(E)))
      return;
    DeviceExpr Device = describeDevice(Body.Src, E);
    Span Where = Body.Src.span(E);
    if (Device.IsHost || Device.IsOfTensor || Device.Copy || !Where.valid())
      return;
    Body.Out.DeviceUses.push_back({{}, Body.Key, Where});
    if (Device.NumberAt)
      Body.Out.DeviceNumbers.push_back({{}, Body.Key, Where, Device.Number});
  };
  Body.forEach<CXXConstructExpr>([&](const CXXConstructExpr* E) {
    const CXXRecordDecl* Made = E->getConstructor()->getParent();
    bool InPlacement = false;
    if (const auto* Call = Body.enclosing<CXXMemberCallExpr>(E))
      InPlacement = isMethodOf(Call->getMethodDecl(), "at::Tensor", "to") &&
                    Body.Src.span(written(Call->getArg(0))) == Body.Src.span(written(E));
    if (Made->getName() == "TensorOptions" && E->getNumArgs() == 1 && !InPlacement &&
        !E->getConstructor()->isCopyOrMoveConstructor())
      Add(E->getArg(0));
  });
  Body.forEach<CallExpr>([&](const CallExpr* E) {
    const FunctionDecl* Callee = E->getDirectCallee();
    if (Callee && Callee->getDeclName().isIdentifier() && Callee->getName() == "device" &&
        E->getNumArgs() == 1 && !isa<CXXDefaultArgExpr>(E->getArg(0)) &&
        !Body.Src.inProject(Callee->getLocation()))
      Add(E->getArg(0));
  });
}

} // namespace

void discoverDeviceUses(const FunctionBody& Body) {
  UseReader Reader(Body);
  auto InSetup = [&](const Span& Where) {
    for (const DeviceVariable& D : Body.Out.Devices)
      for (const Span& S : D.Setup)
        if (S.contains(Where))
          return true;
    return false;
  };
  auto Look = [&](const Expr* E) {
    const ValueDecl* D = ownEntity(Body.Src, E);
    if (!D || !isDeviceLike(D->getType()) || !Reader.isWritten(E))
      return;
    DeviceUse Fact = Reader.describe(E, D);
    if (!InSetup(Fact.Where))
      Body.Out.DeviceUses.push_back(std::move(Fact));
  };
  Body.forEach<DeclRefExpr>(Look);
  Body.forEach<MemberExpr>(Look);
  discoverNamesInOptions(Body);
}

} // namespace accel_rewrite
