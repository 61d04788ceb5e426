//===- Placements.cpp - object.to(device) ---------------------------------===//
#include "discover/DeviceExpr.h"
#include "discover/FunctionBody.h"
#include "discover/Types.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

#include <set>

using namespace clang;

namespace accel_rewrite {

namespace {

/// Whether \p E names a device in the source: a variable, `torch::kCUDA`, `"cuda:0"`. The host by
/// name (`kCPU`) doesn't count: moving something there is not placement for training. Neither does
/// the device of another tensor.
bool namesDevice(const FunctionBody& Body, const Expr* E) {
  E = written(E);
  const auto* Name = dyn_cast<StringLiteral>(E);
  if (!isDeviceLike(E->getType()) && !(Name && Name->isOrdinary()))
    return false;
  DeviceExpr Device = describeDevice(Body.Src, E);
  return !Device.IsHost && !Device.IsOfTensor;
}

/// Whether \p E is a call that yields a tensor which lies where its object does:
/// `x.view(…)`, `x.to(torch::kFloat)`.
const Expr* objectOfSamePlace(const Expr* E) {
  const auto* Call = dyn_cast<CXXMemberCallExpr>(written(E));
  const CXXMethodDecl* Method = Call ? Call->getMethodDecl() : nullptr;
  if (!Method || !isTensor(Call->getType()) || !Method->getDeclName().isIdentifier() ||
      !isTensor(Call->getImplicitObjectArgument()->getType()))
    return nullptr;
  if (Method->getName() == "cpu" || Method->getName() == "cuda")
    return nullptr;
  if (Method->getName() == "to") {
    QualType Argument = Call->getNumArgs() ? written(Call->getArg(0))->getType() : QualType();
    const auto* Type = Argument.isNull() ? nullptr : Argument->getAs<EnumType>();
    if (!Type || Type->getDecl()->getName() != "ScalarType")
      return nullptr;
  }
  return Call->getImplicitObjectArgument();
}

class PlacementReader {
public:
  explicit PlacementReader(const FunctionBody& Body) : Body(Body) {}

  void describe(const CXXMemberCallExpr* E) const {
    const CXXMethodDecl* Method = E->getMethodDecl();
    Placement Fact;
    Fact.OnModule = isMethodOf(Method, "torch::nn::Module", "to");
    bool Cuda = isMethodOf(Method, "at::Tensor", "cuda");
    if (!Fact.OnModule && !Cuda && !isMethodOf(Method, "at::Tensor", "to"))
      return;
    if (!Cuda && (E->getNumArgs() == 0 || !namesDevice(Body, E->getArg(0))))
      return;
    Fact.Function = Body.Key;
    const Expr* Object = E->getImplicitObjectArgument();
    // The holder's operator-> is not written: `model` of `model->to`.
    if (const auto* Arrow = dyn_cast<CXXOperatorCallExpr>(written(Object));
        Arrow && Arrow->getOperator() == OO_Arrow)
      Object = Arrow->getArg(0);
    Fact.Whole = Body.Src.span(E);
    Fact.Object = Body.Src.span(Object);
    Fact.Suffix = suffixOf(E);
    Fact.Root = Body.Src.key(Fact.OnModule ? rootOf(Object) : batchOf(Object));
    Fact.ObjectIsPointer = Object->getType()->isPointerType();
    Fact.OnlyArgument = true;
    if (!Cuda)
      describeArguments(E, Fact);
    if (const Stmt* S = Body.asStatement(E))
      Fact.Statement = Body.Src.statement(S);
    describeAssignment(E, Object, Fact);
    if (Fact.Whole.valid() && Fact.Object.valid() && Fact.Suffix.valid())
      Body.Out.Placements.push_back(std::move(Fact));
  }

private:
  Span suffixOf(const CXXMemberCallExpr* E) const {
    const auto* Member = dyn_cast<MemberExpr>(E->getCallee()->IgnoreParens());
    if (!Member || Member->getOperatorLoc().isInvalid())
      return {};
    return Body.Src.span(SourceRange(Member->getOperatorLoc(), E->getEndLoc()));
  }

  void describeArguments(const CXXMemberCallExpr* E, Placement& Fact) const {
    const Expr* Device = written(E->getArg(0));
    Fact.Argument = Body.Src.span(Device);
    Fact.Device = Body.Src.key(ownEntity(Body.Src, Device));
    if (DeviceExpr Chosen = describeDevice(Body.Src, Device); Chosen.NumberAt)
      Body.Out.DeviceNumbers.push_back(
          {{}, Body.Key, Body.Src.pointAt(Chosen.NumberAt->getExprLoc()), Chosen.Number});
    unsigned Written = 0;
    while (Written < E->getNumArgs() && !isa<CXXDefaultArgExpr>(E->getArg(Written)))
      ++Written;
    bool OnlyNonBlocking = Written == 2 && E->getArg(1)->getType()->isBooleanType();
    Fact.OnlyArgument = Written == 1 || OnlyNonBlocking;
    if (Fact.OnlyArgument || E->getArg(1)->getType()->isBooleanType() || Fact.OnModule)
      return;
    Span Conversion = Body.Src.span(written(E->getArg(1)));
    if (Fact.Argument.valid() && Conversion.valid()) {
      Fact.ToConversion = Fact.Argument;
      Fact.ToConversion.End = Conversion.Begin;
    }
  }

  void describeAssignment(const CXXMemberCallExpr* E, const Expr* Object, Placement& Fact) const {
    const Stmt* Up = Body.parent(E);
    while (isa_and_nonnull<ImplicitCastExpr, MaterializeTemporaryExpr, CXXBindTemporaryExpr,
                           ParenExpr>(Up))
      Up = Body.parent(Up);
    const auto* Assignment = dyn_cast_or_null<CXXOperatorCallExpr>(Up);
    if (!Assignment || Assignment->getOperator() != OO_Equal)
      return;
    std::string Target = Body.Src.text(Assignment->getArg(0));
    const Stmt* S = Body.asStatement(Assignment);
    if (S && !Target.empty() && Target == Body.Src.text(Object))
      Fact.SelfAssignment = Body.Src.statement(S);
  }

  /// The variable that a tensor is a part or a form of: `batch` of `batch.data.view({4, 4})`,
  /// also through variables that are such a form for good.
  const ValueDecl* batchOf(const Expr* E) const {
    std::set<const ValueDecl*> Seen;
    const ValueDecl* Root = nullptr;
    while (E) {
      while (const Expr* Object = objectOfSamePlace(E))
        E = Object;
      const ValueDecl* D = rootOf(E);
      if (!D || !Seen.insert(D).second)
        break;
      Root = D;
      if (const auto* Binding = dyn_cast<BindingDecl>(D)) {
        const auto* Whole = cast<VarDecl>(Binding->getDecomposedDecl());
        Root = Whole;
        E = Whole->isCXXForRangeDecl() ? nullptr : Whole->getInit();
        continue;
      }
      const auto* Var = dyn_cast<VarDecl>(D);
      E = Var && !Var->isCXXForRangeDecl() && isTensor(Var->getType()) && keepsItsPlace(Var)
              ? Var->getInit()
              : nullptr;
    }
    return Root;
  }

  /// A local variable that only gets new forms of itself after it was made.
  bool keepsItsPlace(const VarDecl* Var) const {
    if (isa<ParmVarDecl>(Var) || !Var->isLocalVarDecl() || !Var->getInit())
      return false;
    bool Keeps = true;
    Body.forEach<CXXOperatorCallExpr>([&](const CXXOperatorCallExpr* E) {
      if (E->getOperator() != OO_Equal || rootOf(E->getArg(0)) != Var)
        return;
      const Expr* Value = E->getArg(1);
      for (const auto* To = dyn_cast<CXXMemberCallExpr>(written(Value)); To;
           To = dyn_cast<CXXMemberCallExpr>(written(Value))) {
        const Expr* Object = objectOfSamePlace(To);
        bool Places = isMethodOf(To->getMethodDecl(), "at::Tensor", "to") && To->getNumArgs() &&
                      namesDevice(Body, To->getArg(0));
        if (!Object && !Places)
          break;
        Value = To->getImplicitObjectArgument();
      }
      Keeps &= plainVariable(Value) == Var;
    });
    return Keeps;
  }

  const FunctionBody& Body;
};

} // namespace

void discoverPlacements(const FunctionBody& Body) {
  PlacementReader Reader(Body);
  Body.forEach<CXXMemberCallExpr>([&](const CXXMemberCallExpr* E) { Reader.describe(E); });
}

} // namespace accel_rewrite
