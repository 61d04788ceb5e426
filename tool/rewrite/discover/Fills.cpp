#include "discover/Fills.h"
#include "discover/Mentions.h"
#include "discover/Types.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace accel_rewrite {

namespace {

enum class Effect {
  Ends,      ///< it reads, or computes something new
  Views,     ///< the same memory, all rows of it
  TakesRows, ///< the same memory, some rows of it
  Changes,   ///< it writes entries, all alike
  Combines,  ///< it writes entries, each with that of another tensor
  Fills      ///< it writes parts, or hands out a pointer
};

} // namespace

/// What a method does to the memory of the tensor that it is called on.
static Effect effectOf(const CXXMemberCallExpr* E) {
  const CXXMethodDecl* Method = E->getMethodDecl();
  if (!Method || !Method->getDeclName().isIdentifier())
    return Effect::Ends;
  llvm::StringRef Name = Method->getName();
  Effect Known = llvm::StringSwitch<Effect>(Name)
                     .Cases("index", "slice", "select", "narrow", "diagonal", Effect::TakesRows)
                     .Cases("view", "squeeze", "unsqueeze", "flatten", "reshape", Effect::Views)
                     .Cases("t", "transpose", "permute", "expand", "detach", Effect::Views)
                     .Cases("accessor", "data_ptr", "mutable_data_ptr", Effect::Fills)
                     .Cases("copy_", "index_put_", "index_fill_", "index_copy_", Effect::Fills)
                     .Cases("index_add_", "scatter_", "scatter_add_", "put_", Effect::Fills)
                     .Cases("set_", "resize_", "masked_scatter_", Effect::Fills)
                     .Default(Effect::Ends);
  if (Known != Effect::Ends || Name.starts_with("packed_accessor"))
    return Known == Effect::Ends ? Effect::Fills : Known;
  if (!Name.ends_with("_") || Name == "detach_" || Name == "requires_grad_")
    return Effect::Ends;
  bool TakesTensor = llvm::any_of(
      E->arguments(), [](const Expr* Argument) { return isTensor(written(Argument)->getType()); });
  return TakesTensor ? Effect::Combines : Effect::Changes;
}

static InPlace inPlace(Effect What, bool SomeRows) {
  switch (What) {
  case Effect::Fills:
    return InPlace::Fills;
  case Effect::Changes:
    return SomeRows ? InPlace::Fills : InPlace::Changes;
  case Effect::Combines:
    return SomeRows ? InPlace::Fills : InPlace::Combines;
  default:
    return InPlace::None;
  }
}

static bool passesThrough(const Stmt* S) {
  return isa<CastExpr>(S) || isa<ParenExpr>(S) || isa<MaterializeTemporaryExpr>(S) ||
         isa<CXXBindTemporaryExpr>(S) || isa<ExprWithCleanups>(S) || isa<MemberExpr>(S);
}

/// A variable, a field or an element of a container: `x = y` puts another tensor there, while
/// `x[i] = row` writes to the one that is there.
static bool isVariable(const Expr* E) {
  E = written(E);
  const auto* Element = dyn_cast<CXXOperatorCallExpr>(E);
  return isa<DeclRefExpr>(E) || isa<MemberExpr>(E) ||
         (Element && Element->getOperator() == OO_Subscript &&
          !isTensor(written(Element->getArg(0))->getType()));
}

namespace {

class WriteFinder {
public:
  explicit WriteFinder(const FunctionBody& Body) : Body(Body) {}

  void read(const Expr* Mention, bool SomeRows = false);
  std::vector<InPlaceWrite> Out;

private:
  void readVariable(const Expr* Init, bool SomeRows, bool Pointer);

  const FunctionBody& Body;
  unsigned Depth = 0;
};

} // namespace

void WriteFinder::read(const Expr* Mention, bool SomeRows) {
  const Stmt* Inner = Mention;
  bool Pointer = false;
  for (const Stmt* Up = Body.parent(Inner); Up; Inner = Up, Up = Body.parent(Up)) {
    if (const auto* Method = dyn_cast<CXXMemberCallExpr>(Up)) {
      if (Method->getCallee() != Inner)
        break; // an argument
      Effect What = Pointer ? Effect::Ends : effectOf(Method);
      if (InPlace How = inPlace(What, SomeRows); How != InPlace::None)
        Out.push_back({How, Method});
      else if (What == Effect::Ends)
        break;
      Pointer |= What == Effect::Fills && !isTensor(Method->getType());
      SomeRows |= What == Effect::TakesRows;
    } else if (const auto* Operator = dyn_cast<CXXOperatorCallExpr>(Up)) {
      if (Operator->getArg(0) != Inner)
        break;
      if (Operator->isAssignmentOp()) {
        if (Operator->getOperator() != OO_Equal || !isVariable(Operator->getArg(0)))
          Out.push_back({SomeRows ? InPlace::Fills : InPlace::Combines, Operator});
        break;
      }
      if (Operator->getOperator() != OO_Subscript)
        break;
      SomeRows |= isTensor(written(Operator->getArg(0))->getType());
    } else if (!isa<Expr>(Up)) {
      readVariable(cast<Expr>(Inner), SomeRows, Pointer);
      break;
    } else if (!passesThrough(Up)) {
      break;
    }
  }
}

/// A variable that \p Init initialises: `auto row = x[i]; row.copy_(…);`
void WriteFinder::readVariable(const Expr* Init, bool SomeRows, bool Pointer) {
  const VarDecl* View = nullptr;
  Body.forEachVariable([&](const VarDecl* Var, const DeclStmt*) {
    if (Var->getInit() && written(Var->getInit()) == written(Init))
      View = Var;
  });
  if (!View || (!Pointer && !isTensor(View->getType())) || Depth > 4)
    return;
  ++Depth;
  Body.forEach<DeclRefExpr>([&](const DeclRefExpr* Mention) {
    if (Mention->getDecl() != View)
      return;
    if (Pointer)
      Out.push_back({InPlace::Fills, Mention});
    else
      read(Mention, SomeRows);
  });
  --Depth;
}

std::vector<InPlaceWrite> inPlaceWrites(const FunctionBody& Body, const Expr* Mention,
                                        const Stmt* Scope) {
  WriteFinder Finder(Body);
  Body.forEach<Expr>([&](const Expr* E) {
    if (isSameThing(E, Mention) && Body.isInside(E, Scope))
      Finder.read(E);
  });
  return std::move(Finder.Out);
}

} // namespace accel_rewrite
