#include "discover/Caveats.h"
#include "discover/TensorCalls.h"
#include "discover/Types.h"
#include "discover/Uniform.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace accel_rewrite {

namespace {

/// A variable that holds the size of a batch as the program configures it.
bool isBatchSize(const Expr* E) {
  const Expr* Number = written(E);
  const auto* Cast = dyn_cast<ExplicitCastExpr>(Number);
  if (Cast)
    Number = written(Cast->getSubExpr());
  const ValueDecl* D = nullptr;
  if (const auto* Ref = dyn_cast<DeclRefExpr>(Number))
    D = Ref->getDecl();
  else if (const auto* Member = dyn_cast<MemberExpr>(Number))
    D = Member->getMemberDecl();
  if (!D || !D->getDeclName().isIdentifier() || !D->getType()->isArithmeticType())
    return false;
  std::string Name = D->getName().lower();
  return Name.find("batch_size") != std::string::npos ||
         Name.find("batchsize") != std::string::npos;
}

/// Whether the variable was read off a tensor: then it is right for any share.
bool isReadOff(const FunctionBody& Body, const Expr* E) {
  const auto* Var = dyn_cast_or_null<VarDecl>(plainVariable(E));
  return Var && Var->getInit() && countsRows(Body.Src.ast(), written(Var->getInit()));
}

/// A tensor's shape with the size of a batch in it.
const Expr* namedBatchSize(const FunctionBody& Body, const CallExpr* E) {
  const FunctionDecl* Callee = E->getDirectCallee();
  static const llvm::StringRef Shapes[] = {"view",  "reshape", "zeros", "ones",  "full",
                                           "randn", "rand",    "empty", "expand"};
  if (!Callee || !Callee->getDeclName().isIdentifier() || E->getNumArgs() == 0 ||
      !llvm::is_contained(Shapes, Callee->getName()) || !isTensor(E->getType()))
    return nullptr;
  if (const InitListExpr* Shape = listIn(E->getArg(0)))
    for (const Expr* Size : Shape->inits())
      if (isBatchSize(Size) && !isReadOff(Body, Size))
        return Size;
  return nullptr;
}

} // namespace

void discoverCaveats(const FunctionBody& Body) {
  Uniform Same(Body);
  auto Add = [&](const Expr* E, const char* Code, std::string Message, std::string Remedy) {
    Body.Out.Hazards.push_back({Body.Key, Code, Body.Src.pointAt(E->getBeginLoc()),
                                std::move(Message), std::move(Remedy), true});
  };
  Body.forEach<CallExpr>([&](const CallExpr* E) {
    if (const Expr* Size = namedBatchSize(Body, E))
      Add(Size, "AR162",
          "this shape names the batch size, and a process's share may have fewer rows",
          "take the number of rows from the batch: batch.data.size(0)");
  });
  Body.forEach<CXXMemberCallExpr>([&](const CXXMemberCallExpr* E) {
    if (!isMethodOf(E->getMethodDecl(), "at::Tensor", "backward"))
      return;
    if (const Expr* Guard = Same.differingGuard(E))
      Add(Guard, "AR163",
          "whether a process computes gradients may differ by this condition: then the others wait "
          "until the timeout",
          "decide by a value that is the same on all processes, such as accelerator.mean(loss)");
  });
}

} // namespace accel_rewrite
