//===- Loops.cpp - Loops, and what they add up ----------------------------===//
#include "discover/Evaluation.h"
#include "discover/FunctionBody.h"
#include "discover/LoopShape.h"
#include "discover/LossForm.h"
#include "discover/Types.h"
#include "discover/Uniform.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace accel_rewrite {

namespace {

class LoopReader {
public:
  LoopReader(const FunctionBody& Body, const Uniform& Same, const Stmt* For)
      : Body(Body), Same(Same), For(For), Repeated(loopBody(For)) {}

  Loop describe() const {
    Loop Fact;
    Fact.Function = Body.Key;
    Fact.Whole = Body.Src.statement(For);
    if (!Fact.Whole.valid())
      return Fact;
    Fact.Indent = Body.Src.indent(Fact.Whole);
    describeLoader(Fact);
    describeAccumulators(Fact);
    describeEarlyExit(Fact);
    if (EvaluationObstacle O = evaluationObstacle(Body, Same, For, Fact.Accumulators)) {
      Fact.EvaluationObstacle = O.Reason;
      Fact.EvaluationObstacleAt = O.Where;
    }
    return Fact;
  }

private:
  void describeLoader(Loop& Fact) const {
    const Expr* Range = nullptr;
    if (const auto* RangeFor = dyn_cast<CXXForRangeStmt>(For)) {
      Fact.Batch = Body.Src.key(RangeFor->getLoopVariable());
      if (RangeFor->getRangeInit() && isDataLoader(RangeFor->getRangeInit()->getType()))
        Range = RangeFor->getRangeInit();
    } else if (const VarDecl* Iterator = loaderIterator(For)) {
      Fact.Batch = Body.Src.key(Iterator);
      Range = cast<CXXMemberCallExpr>(written(Iterator->getInit()))->getImplicitObjectArgument();
    }
    if (!Range)
      return;
    Fact.OverLoader = true;
    const ValueDecl* Loader = rootOf(Range);
    Fact.Loader = Body.Src.key(Loader);
    Fact.LoaderTypeDeduced = Loader && isDeduced(Loader);
    Fact.DistributedSampler = samplerOf(Range->getType()).starts_with("Distributed");
  }

  /// Whether the derived loader's own type reaches the loop: `auto` or a template parameter, no
  /// class that the source spells.
  bool isDeduced(const ValueDecl* Loader) const {
    const auto* Var = dyn_cast<VarDecl>(Loader);
    if (const auto* Param = dyn_cast_or_null<ParmVarDecl>(Var)) {
      const FunctionDecl* Pattern = Body.Decl->getTemplateInstantiationPattern();
      return Pattern &&
             Pattern->getParamDecl(Param->getFunctionScopeIndex())->getType()->isDependentType();
    }
    return Var && Var->getTypeSourceInfo()->getType()->getContainedAutoType();
  }

  bool isOutside(const ValueDecl* D) const {
    return D->getLocation().isValid() &&
           !Body.Src.span(For).contains(Body.Src.pointAt(D->getLocation()));
  }

  void describeAccumulators(Loop& Fact) const {
    std::map<const ValueDecl*, std::vector<const Write*>> ByTarget;
    for (const Write& W : Same.writes())
      if (Body.isInside(W.Where, Repeated) && isOutside(W.Target) &&
          W.Target->getType()->isArithmeticType())
        ByTarget[W.Target].push_back(&W);
    for (const auto& [Target, Writes] : ByTarget) {
      Accumulator A;
      A.Key = Body.Src.key(Target);
      A.Name = Target->getNameAsString();
      A.FirstWrite = Body.Src.pointAt(Writes.front()->Where->getBeginLoc());
      A.Uniform = Same.isUniform(Target);
      A.IsSum = startsAtZero(Target) && isa_and_nonnull<CompoundStmt>(Body.parent(For));
      A.OnlyLoss = true;
      bool OnlyRowSums = true;
      for (const Write* W : Writes) {
        A.IsSum &= W->How == Write::Kind::Add;
        A.AddsRows |= W->How == Write::Kind::Add && W->Value && !Same.isUniform(W->Value);
        OnlyRowSums &= W->Value && isRowSum(W->Value) && Body.Src.span(W->Value).valid();
        if (OnlyRowSums)
          A.RowSums.push_back(Body.Src.span(W->Value));
        A.OnlyLoss &= W->Value && isLossTerm(W->Value) && !Same.differingGuard(W->Where, Repeated);
      }
      if (!OnlyRowSums)
        A.RowSums.clear();
      describeReads(Target, Writes, A);
      Fact.Accumulators.push_back(std::move(A));
    }
    std::sort(Fact.Accumulators.begin(), Fact.Accumulators.end(),
              [](const Accumulator& L, const Accumulator& R) {
                return L.FirstWrite.Begin < R.FirstWrite.Begin;
              });
  }

  /// `loss.item()`, possibly times something uniform.
  bool isLossTerm(const Expr* E) const {
    E = written(E);
    if (const Expr* Object = itemObject(E))
      return Same.isMean(Object);
    if (const auto* Cast = dyn_cast<ExplicitCastExpr>(E))
      return isLossTerm(Cast->getSubExpr());
    const auto* Binary = dyn_cast<BinaryOperator>(E);
    if (!Binary || (Binary->getOpcode() != BO_Mul && Binary->getOpcode() != BO_Div))
      return false;
    return isLossTerm(Binary->getLHS()) && Same.isUniform(Binary->getRHS());
  }

  /// A sum over the rows at hand: that of a batch is the sum of those of its parts.
  bool isRowSum(const Expr* E) const {
    E = written(E);
    if (const auto* Cast = dyn_cast<ExplicitCastExpr>(E))
      return isRowSum(Cast->getSubExpr());
    if (const Expr* Object = itemObject(E))
      return isCountOfMatches(written(Object)) || isLossOf(Object, LossForm::Sum);
    if (isRowCount(E))
      return true;
    const auto* Binary = dyn_cast<BinaryOperator>(E);
    if (!Binary || Binary->getOpcode() != BO_Mul)
      return false;
    auto IsMeanLoss = [&](const Expr* Factor) {
      const Expr* Object = itemObject(written(Factor));
      return Object && isLossOf(Object, LossForm::Mean);
    };
    return (IsMeanLoss(Binary->getLHS()) && isRowCount(written(Binary->getRHS()))) ||
           (IsMeanLoss(Binary->getRHS()) && isRowCount(written(Binary->getLHS())));
  }

  /// `prediction.eq(target).sum()`
  static bool isCountOfMatches(const Expr* E) {
    const auto* Sum = dyn_cast<CXXMemberCallExpr>(E);
    if (!Sum || !isMethodOf(Sum->getMethodDecl(), "at::Tensor", "sum") ||
        (Sum->getNumArgs() > 0 && !isa<CXXDefaultArgExpr>(Sum->getArg(0))))
      return false;
    const Expr* Matches = written(Sum->getImplicitObjectArgument());
    if (const auto* Operator = dyn_cast<CXXOperatorCallExpr>(Matches))
      return Operator->getOperator() == OO_EqualEqual;
    const auto* Eq = dyn_cast<CXXMemberCallExpr>(Matches);
    return Eq && isMethodOf(Eq->getMethodDecl(), "at::Tensor", "eq");
  }

  /// `batch.data.size(0)`
  bool isRowCount(const Expr* E) const {
    const auto* Size = dyn_cast<CXXMemberCallExpr>(E);
    Expr::EvalResult Dimension;
    return Size && isMethodOf(Size->getMethodDecl(), "at::TensorBase", "size") &&
           Size->getNumArgs() == 1 && Size->getArg(0)->EvaluateAsInt(Dimension, Body.Src.ast()) &&
           Dimension.Val.getInt() == 0;
  }

  bool isLossOf(const Expr* Object, LossForm Form) const {
    return lossForm(Body, Object).Form == Form;
  }

  const Stmt* nearestLoop(const Stmt* S) const {
    for (S = Body.parent(S); S; S = Body.parent(S))
      if (loopBody(S))
        return S;
    return nullptr;
  }

  /// A local variable that is declared with the value zero in the scope that repeats with the loop,
  /// and not changed before it.
  bool startsAtZero(const ValueDecl* D) const {
    const auto* Var = dyn_cast<VarDecl>(D);
    if (!Var || isa<ParmVarDecl>(Var) || !Var->isLocalVarDecl() || Var->isStaticLocal() ||
        !Var->getInit())
      return false;
    Expr::EvalResult Value;
    if (Var->getInit()->isValueDependent() ||
        !Var->getInit()->EvaluateAsRValue(Value, Body.Src.ast()))
      return false;
    bool Zero = Value.Val.isInt() ? Value.Val.getInt() == 0
                                  : Value.Val.isFloat() && Value.Val.getFloat().isZero();
    const DeclStmt* Declaration = nullptr;
    Body.forEachVariable([&](const VarDecl* Other, const DeclStmt* S) {
      if (Other == Var)
        Declaration = S;
    });
    if (!Zero || !Declaration || nearestLoop(Declaration) != nearestLoop(For))
      return false;
    for (const Write& W : Same.writes())
      if (W.Target == D && !Body.isInside(W.Where, For) &&
          Body.Src.pointAt(W.Where->getBeginLoc()).Begin <
              Body.Src.pointAt(For->getBeginLoc()).Begin)
        return false;
    return true;
  }

  /// Whether \p E is a variable that the loop only counts up.
  bool isCounter(const Expr* E) const {
    E = written(E);
    if (const auto* Cast = dyn_cast<ExplicitCastExpr>(E))
      E = written(Cast->getSubExpr());
    const ValueDecl* D = plainVariable(E);
    return D && Same.isUniform(D) &&
           std::any_of(Same.writes().begin(), Same.writes().end(), [&](const Write& W) {
             return W.Target == D && W.How == Write::Kind::Add && Body.isInside(W.Where, Repeated);
           });
  }

  /// Whether this read divides by such a variable: `sum / count`, `sum /= count`.
  bool dividesByCount(const DeclRefExpr* Ref, bool& ForGood) const {
    const Stmt* S = Ref;
    const Stmt* Up = Body.parent(S);
    while (isa_and_nonnull<CastExpr>(Up) || isa_and_nonnull<ParenExpr>(Up)) {
      S = Up;
      Up = Body.parent(Up);
    }
    const auto* Division = dyn_cast_or_null<BinaryOperator>(Up);
    if (!Division || Division->getLHS() != S || !isCounter(Division->getRHS()))
      return false;
    ForGood |= Division->getOpcode() == BO_DivAssign;
    return Division->getOpcode() == BO_Div || Division->getOpcode() == BO_DivAssign;
  }

  void describeReads(const ValueDecl* Target, const std::vector<const Write*>& Writes,
                     Accumulator& A) const {
    unsigned End = Body.Src.span(For).End;
    bool DividedForGood = false;
    A.DividedByCount = true;
    Body.forEach<DeclRefExpr>([&](const DeclRefExpr* Ref) {
      if (Ref->getDecl() != Target)
        return;
      if (Body.isInside(Ref, Repeated)) {
        bool IsTarget = std::any_of(Writes.begin(), Writes.end(), [&](const Write* W) {
          return Body.isInside(Ref, W->Where) && (!W->Value || !Body.isInside(Ref, W->Value)) &&
                 Body.asStatement(W->Where);
        });
        A.IsSum &= IsTarget;
      } else if (Body.Src.pointAt(Ref->getLocation()).Begin >= End) {
        A.ReadAfter = true;
        A.DividedByCount &= DividedForGood || dividesByCount(Ref, DividedForGood);
      }
    });
  }

  void describeEarlyExit(Loop& Fact) const {
    auto Consider = [&](const Stmt* S) {
      if (!Body.isInside(S, Repeated) || (isa<BreakStmt>(S) && nearestLoop(S) != For) ||
          Fact.EarlyExit.valid())
        return;
      if (Same.differingGuard(S, Repeated))
        Fact.EarlyExit = Body.Src.pointAt(S->getBeginLoc());
    };
    Body.forEach<BreakStmt>(Consider);
    Body.forEach<ReturnStmt>(Consider);
    Body.forEach<GotoStmt>(Consider);
    Body.forEach<ContinueStmt>(Consider);
  }

  const FunctionBody& Body;
  const Uniform& Same;
  const Stmt* For;
  const Stmt* Repeated;
};

} // namespace

void discoverLoops(const FunctionBody& Body) {
  Uniform Same(Body);
  Body.forEach<Stmt>([&](const Stmt* S) {
    if (!loopBody(S))
      return;
    Loop Fact = LoopReader(Body, Same, S).describe();
    if (Fact.Whole.valid())
      Body.Out.Loops.push_back(std::move(Fact));
  });
}

} // namespace accel_rewrite
