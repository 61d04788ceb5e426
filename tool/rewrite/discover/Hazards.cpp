//===- Hazards.cpp - What rules a conversion out --------------------------===//
#include "discover/Caveats.h"
#include "discover/FunctionBody.h"
#include "discover/Types.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace accel_rewrite {

namespace {

class HazardReader {
public:
  explicit HazardReader(const FunctionBody& Body) : Body(Body) {}

  void read() {
    Body.forEach<CallExpr>([&](const CallExpr* E) {
      const FunctionDecl* Callee = E->getDirectCallee();
      if (!Callee || !Callee->getDeclName().isIdentifier())
        return;
      readGraph(E, Callee);
      if (const auto* Member = dyn_cast<CXXMemberCallExpr>(E)) {
        readGroups(Member);
        readOverwrite(Member);
      }
    });
    Body.forEach<CXXMemberCallExpr>([&](const CXXMemberCallExpr* E) { readState(E); });
  }

private:
  void add(const Expr* E, const char* Code, std::string Message, std::string Remedy,
           bool WithinStep) {
    Body.Out.Hazards.push_back({Body.Key, Code, Body.Src.pointAt(E->getBeginLoc()),
                                std::move(Message), std::move(Remedy), WithinStep});
  }

  /// CUDA graphs, by libtorch's class or by CUDA's functions.
  void readGraph(const CallExpr* E, const FunctionDecl* Callee) {
    const auto* Method = dyn_cast<CXXMethodDecl>(Callee);
    bool OnGraph = Method && Method->getParent()->getDeclName().isIdentifier() &&
                   Method->getParent()->getName() == "CUDAGraph";
    if (OnGraph || Callee->getName() == "cudaStreamBeginCapture" ||
        Callee->getName() == "cudaGraphLaunch")
      add(E, "AR061", "this captures or replays a CUDA graph, in which nothing can be exchanged",
          "train without the graph", false);
  }

  void readGroups(const CXXMemberCallExpr* E) {
    if (isMethodOf(E->getMethodDecl(), "torch::optim::Optimizer", "add_param_group"))
      add(E, "AR062", "the set of trained parameters changes while it is trained: a group is added",
          "add all groups before the loop", true);
  }

  /// `optimizer.state().erase(…)`, `optimizer.state()[key] = …`: the optimizer's own memory of its
  /// parameters.
  void readState(const CXXMemberCallExpr* E) {
    if (!isMethodOf(E->getMethodDecl(), "torch::optim::Optimizer", "state"))
      return;
    const Stmt* Up = Body.parent(E);
    while (isa_and_nonnull<ImplicitCastExpr>(Up) || isa_and_nonnull<MemberExpr>(Up))
      Up = Body.parent(Up);
    const auto* Method = dyn_cast_or_null<CXXMemberCallExpr>(Up);
    const auto* Subscript = dyn_cast_or_null<CXXOperatorCallExpr>(Up);
    llvm::StringRef Name =
        Method && Method->getMethodDecl() && Method->getMethodDecl()->getDeclName().isIdentifier()
            ? Method->getMethodDecl()->getName()
            : "";
    if (Name == "erase" || Name == "clear" || Name == "insert" ||
        (Subscript && Subscript->getOperator() == OO_Subscript && isAssigned(Subscript)))
      add(E, "AR062",
          "the set of trained parameters changes while it is trained: the optimizer's state is "
          "edited",
          "make a new optimizer with accelerator.prepare instead", true);
  }

  bool isAssigned(const Expr* E) const {
    const Stmt* Up = Body.parent(E);
    while (isa_and_nonnull<ImplicitCastExpr>(Up))
      Up = Body.parent(Up);
    const auto* Operator = dyn_cast_or_null<CXXOperatorCallExpr>(Up);
    return Operator && Operator->getOperator() == OO_Equal && written(Operator->getArg(0)) == E;
  }

  /// `parameter.set_data(…)`, `parameter.data().copy_(…)` for a parameter of a module, after a
  /// backward and before a step: the gradients would be those of other values.
  void readOverwrite(const CXXMemberCallExpr* E) {
    const CXXMethodDecl* Method = E->getMethodDecl();
    if (!Method || !isTensor(E->getImplicitObjectArgument()->getType()) ||
        !Method->getDeclName().isIdentifier() || !overwrites(Method->getName()))
      return;
    const Expr* Object = E->getImplicitObjectArgument();
    if (const auto* Data = dyn_cast<CXXMemberCallExpr>(written(Object));
        Data && Data->getMethodDecl() && Data->getMethodDecl()->getDeclName().isIdentifier() &&
        Data->getMethodDecl()->getName() == "data")
      Object = Data->getImplicitObjectArgument();
    if (isParameter(plainVariable(Object)) && isBetweenBackwardAndStep(E))
      add(E, "AR063", "a parameter is overwritten between backward and step",
          "overwrite it after the step", true);
  }

  static bool overwrites(llvm::StringRef Name) {
    return Name == "set_data" || (Name.ends_with("_") && !Name.starts_with("requires_grad") &&
                                  !Name.starts_with("__") && Name != "retain_grad_");
  }

  /// The variable of a loop over `parameters()`.
  bool isParameter(const ValueDecl* D) const {
    bool Result = false;
    Body.forEach<CXXForRangeStmt>([&](const CXXForRangeStmt* For) {
      const auto* Range =
          For->getRangeInit() ? dyn_cast<CXXMemberCallExpr>(written(For->getRangeInit())) : nullptr;
      Result |= D && For->getLoopVariable() == D && Range &&
                isMethodOf(Range->getMethodDecl(), "torch::nn::Module", "parameters");
    });
    return Result;
  }

  bool isBetweenBackwardAndStep(const Expr* E) const {
    unsigned At = Body.Src.pointAt(E->getBeginLoc()).Begin;
    unsigned LastBackward = 0, LastStep = 0, NextStep = 0;
    Body.forEach<CXXMemberCallExpr>([&](const CXXMemberCallExpr* Other) {
      unsigned Offset = Body.Src.pointAt(Other->getBeginLoc()).Begin;
      if (isMethodOf(Other->getMethodDecl(), "at::Tensor", "backward") && Offset < At)
        LastBackward = std::max(LastBackward, Offset);
      if (!isMethodOf(Other->getMethodDecl(), "torch::optim::Optimizer", "step"))
        return;
      if (Offset < At)
        LastStep = std::max(LastStep, Offset);
      else if (NextStep == 0 || Offset < NextStep)
        NextStep = Offset;
    });
    return LastBackward > LastStep && NextStep > 0;
  }

  const FunctionBody& Body;
};

} // namespace

void discoverHazards(const FunctionBody& Body) {
  HazardReader(Body).read();
  discoverCaveats(Body);
}

} // namespace accel_rewrite
