#include "discover/DeviceExpr.h"
#include "discover/Types.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace accel_rewrite {

bool isDeviceLike(QualType T) {
  return isDevice(T) || isDeviceType(T);
}

const ValueDecl* ownEntity(const Source& Src, const Expr* E) {
  E = written(E);
  const ValueDecl* D = nullptr;
  if (const auto* Ref = dyn_cast<DeclRefExpr>(E))
    D = Ref->getDecl();
  else if (const auto* Member = dyn_cast<MemberExpr>(E))
    D = Member->getMemberDecl();
  return isa_and_nonnull<VarDecl, FieldDecl, BindingDecl>(D) && Src.inProject(D->getLocation())
             ? D
             : nullptr;
}

namespace {

/// What is mentioned somewhere in an expression.
struct Mentions {
  const Source& Src;
  bool Host = false;
  bool Other = false;
  const Expr* NumberAt = nullptr;
  long Number = 0;

  void name(llvm::StringRef Device, const Expr* E) {
    if (Device.starts_with("cpu")) {
      Host = true;
      return;
    }
    Other = true;
    auto [Type, Index] = Device.split(':');
    if (!Index.empty() && !Index.getAsInteger(10, Number))
      NumberAt = E;
  }

  void declaration(const ValueDecl* D) {
    if (D->getDeclName().isIdentifier() && (D->getName() == "kCPU" || D->getName() == "CPU"))
      Host = true;
    else
      Other = true;
  }

  /// `torch::Device(torch::kCUDA, 1)`
  void construction(const CXXConstructExpr* E) {
    if (!isDevice(E->getType()) || E->getNumArgs() != 2 || isa<CXXDefaultArgExpr>(E->getArg(1)))
      return;
    Expr::EvalResult Value;
    if (!E->getArg(1)->isValueDependent() && E->getArg(1)->EvaluateAsInt(Value, Src.ast()) &&
        !Value.Val.getInt().isNegative() && !isHost(E->getArg(0))) {
      NumberAt = E;
      Number = static_cast<long>(Value.Val.getInt().getExtValue());
    }
  }

  bool isHost(const Expr* E) const {
    Mentions Inner{Src};
    Inner.read(E);
    return Inner.Host && !Inner.Other;
  }

  void read(const Stmt* S) {
    if (const auto* Ref = dyn_cast<DeclRefExpr>(S))
      return declaration(Ref->getDecl());
    if (isa<MemberExpr>(S))
      Other = true;
    if (const auto* Literal = dyn_cast<StringLiteral>(S); Literal && Literal->isOrdinary())
      return name(Literal->getString(), Literal);
    if (const auto* Construct = dyn_cast<CXXConstructExpr>(S))
      construction(Construct);
    for (const Stmt* Child : S->children())
      if (Child && !isa<CXXDefaultArgExpr>(Child))
        read(Child);
  }
};

} // namespace

/// What a constructor is given that makes a device of one thing: `torch::Device(type)`, a copy.
static const Expr* sourceOf(const Expr* E) {
  for (;;) {
    E = written(E);
    if (const auto* Cast = dyn_cast<CXXFunctionalCastExpr>(E)) {
      E = Cast->getSubExpr();
      continue;
    }
    const auto* Construct = dyn_cast<CXXConstructExpr>(E);
    if (!Construct || Construct->getNumArgs() == 0 ||
        (Construct->getNumArgs() > 1 && !isa<CXXDefaultArgExpr>(Construct->getArg(1))))
      return E;
    E = Construct->getArg(0);
  }
}

DeviceExpr describeDevice(const Source& Src, const Expr* E) {
  DeviceExpr Result;
  E = sourceOf(E);
  if (const ValueDecl* D = ownEntity(Src, E); D && isDeviceLike(D->getType()))
    Result.Copy = D;
  if (const auto* Call = dyn_cast<CXXMemberCallExpr>(E))
    Result.IsOfTensor = isMethodOf(Call->getMethodDecl(), "at::TensorBase", "device");
  Mentions All{Src};
  All.read(E);
  Result.IsHost = All.Host && !All.Other;
  Result.NumberAt = All.NumberAt;
  Result.Number = All.Number;
  return Result;
}

bool isOption(const Source& Src, const ValueDecl* D) {
  if (!Src.inProject(D->getLocation()) || isDeviceLike(D->getType()))
    return false;
  if (isa<ParmVarDecl>(D) || isa<FieldDecl>(D))
    return true;
  const auto* Var = dyn_cast<VarDecl>(D);
  if (!Var || !Var->getInit() || Var->getType().isConstQualified())
    return false;
  // Set somewhere else, or from the program's arguments.
  std::vector<const Stmt*> Work = {Var->getInit()};
  while (!Work.empty()) {
    const Stmt* S = Work.back();
    Work.pop_back();
    if (const auto* Ref = dyn_cast<DeclRefExpr>(S);
        Ref && isa<VarDecl>(Ref->getDecl()) && Src.inProject(Ref->getDecl()->getLocation()))
      return true;
    for (const Stmt* Child : S->children())
      if (Child)
        Work.push_back(Child);
  }
  return false;
}

} // namespace accel_rewrite
