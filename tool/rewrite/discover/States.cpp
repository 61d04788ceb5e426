#include "discover/States.h"
#include "discover/Mentions.h"
#include "discover/TensorTypes.h"
#include "discover/Types.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

#include <optional>

using namespace clang;

namespace accel_rewrite {

namespace {

/// Which recurrent layers a model has, itself or within.
struct Layers {
  bool Sequence = false;
  bool Cell = false;
};

} // namespace

static void addLayers(const CXXRecordDecl* Model, Layers& Found, unsigned Depth = 0) {
  if (!Model || !Model->hasDefinition() || Depth > 4)
    return;
  llvm::StringRef Name = Model->getName();
  const auto* Space = dyn_cast<NamespaceDecl>(Model->getDeclContext());
  if (Space && Space->getName() == "nn") { // libtorch's own
    Name.consume_back("Impl");
    Found.Sequence |= Name == "LSTM" || Name == "GRU" || Name == "RNN";
    Found.Cell |= Name == "LSTMCell" || Name == "GRUCell" || Name == "RNNCell";
    return;
  }
  for (const FieldDecl* Field : Model->fields())
    addLayers(moduleClass(Field->getType()), Found, Depth + 1);
  for (const CXXBaseSpecifier& Base : Model->bases())
    addLayers(Base.getType()->getAsCXXRecordDecl(), Found, Depth + 1);
}

/// The model that \p Mention is an argument of, by itself or in a tuple; null where it is used
/// otherwise.
static const CXXRecordDecl* modelGiven(const FunctionBody& Body, const Expr* Mention) {
  const Stmt* Inner = Mention;
  for (const Stmt* Up = Body.parent(Mention); Up && isa<Expr>(Up);
       Inner = Up, Up = Body.parent(Up)) {
    if (const auto* Method = dyn_cast<CXXMemberCallExpr>(Up)) {
      const Expr* Object = Method->getImplicitObjectArgument();
      if (Object && isModule(Object->getType()))
        return moduleClass(Object->getType());
      if (!Object || !isTensor(Object->getType()) || !Method->getMethodDecl() ||
          !Method->getMethodDecl()->getDeclName().isIdentifier() ||
          !Method->getMethodDecl()->getName().starts_with("detach"))
        return nullptr;
    } else if (const auto* Operator = dyn_cast<CXXOperatorCallExpr>(Up)) {
      bool Given = Operator->getOperator() == OO_Call && Operator->getArg(0) != Inner;
      return Given ? moduleClass(Operator->getArg(0)->getType()) : nullptr;
    } else if (const auto* Call = dyn_cast<CallExpr>(Up);
               Call && !isStdCall(Call, {"make_tuple", "tuple", "move", "forward_as_tuple"})) {
      return nullptr;
    }
  }
  return nullptr;
}

/// `h.detach_();`, or the value of `h = h.detach();`.
static bool isDetached(const FunctionBody& Body, const Expr* Mention) {
  const Stmt* Up = Body.parent(Mention);
  while (Up && (isa<CastExpr>(Up) || isa<MaterializeTemporaryExpr>(Up) || isa<MemberExpr>(Up)))
    Up = Body.parent(Up);
  const auto* Method = dyn_cast_or_null<CXXMemberCallExpr>(Up);
  if (!Method || !Method->getMethodDecl() ||
      !Method->getMethodDecl()->getDeclName().isIdentifier() ||
      !Method->getMethodDecl()->getName().starts_with("detach"))
    return false;
  const Stmt* Outer = Body.parent(Method);
  while (Outer && (isa<CastExpr>(Outer) || isa<MaterializeTemporaryExpr>(Outer) ||
                   isa<CXXBindTemporaryExpr>(Outer) || isa<ExprWithCleanups>(Outer)))
    Outer = Body.parent(Outer);
  const auto* Assignment = dyn_cast_or_null<CXXOperatorCallExpr>(Outer);
  return !isa_and_nonnull<Expr>(Outer) ||
         (Assignment && Assignment->getOperator() == OO_Equal &&
          plainVariable(Assignment->getArg(0)) == plainVariable(Mention));
}

/// `torch::zeros({layers, rows, hidden})`, without what is called on it.
static const CallExpr* creationUnder(const FunctionBody& Body, const Expr* Value) {
  Value = written(Value);
  while (const auto* Method = dyn_cast<CXXMemberCallExpr>(Value)) {
    if (!isTensor(Method->getType()) || !Method->getMethodDecl() ||
        !Method->getMethodDecl()->getDeclName().isIdentifier() ||
        !llvm::is_contained({"to", "detach", "cuda", "cpu", "clone", "contiguous"},
                            Method->getMethodDecl()->getName()))
      return nullptr;
    Value = written(Method->getImplicitObjectArgument());
  }
  const auto* Call = dyn_cast<CallExpr>(Value);
  return Call && !isa<CXXMemberCallExpr>(Call) && !isa<CXXOperatorCallExpr>(Call) &&
                 Call->getDirectCallee() && Call->getDirectCallee()->getDeclName().isIdentifier() &&
                 creation(Body, Call) != Creation::None
             ? Call
             : nullptr;
}

/// The dimension along which the rows of a state of this shape lie; none where it can't be told.
static std::optional<unsigned> rowsOf(const FunctionBody& Body, const CallExpr* Created,
                                      const Layers& Found) {
  llvm::ArrayRef<const Expr*> Sizes = createdSizes(Created);
  if (Found.Sequence == Found.Cell || Sizes.size() != (Found.Sequence ? 3U : 2U))
    return std::nullopt;
  unsigned Dimension = Found.Sequence ? 1 : 0;
  int64_t Rows = 0;
  if (isInt(Body, Sizes[Dimension], Rows) && Rows <= 1)
    return std::nullopt;
  return Dimension;
}

std::vector<RowsAt> stateStarts(const FunctionBody& Body, const std::vector<Write>& Writes,
                                const ValueDecl* State, const Stmt* Scope) {
  const auto* Var = dyn_cast<VarDecl>(State);
  if (!Var || isa<ParmVarDecl>(Var) || Var->hasGlobalStorage())
    return {};
  std::vector<const Expr*> Values;
  if (!isEmptyTensor(Var))
    Values.push_back(Var->getInit());
  for (const Write& W : Writes)
    if (W.Target == State && W.How == Write::Kind::Assign && !Body.isInside(W.Where, Scope))
      Values.push_back(W.Value);

  Layers Found;
  bool OnlyHandedOn = true;
  Body.forEach<DeclRefExpr>([&](const DeclRefExpr* Mention) {
    if (Mention->getDecl() != State || isWritten(Body, Mention))
      return;
    const CXXRecordDecl* Model =
        Body.isInside(Mention, Scope) ? modelGiven(Body, Mention) : nullptr;
    addLayers(Model, Found);
    OnlyHandedOn &= Model || (Body.isInside(Mention, Scope) && isDetached(Body, Mention));
  });
  std::vector<RowsAt> Starts;
  for (const Expr* Value : Values) {
    const CallExpr* Created = Value ? creationUnder(Body, Value) : nullptr;
    std::optional<unsigned> Dimension =
        Created && OnlyHandedOn ? rowsOf(Body, Created, Found) : std::nullopt;
    if (!Dimension)
      return {};
    Span Where = Body.Src.span(Created);
    if (!Where.valid())
      return {};
    Starts.push_back({Where, *Dimension});
  }
  return Starts;
}

} // namespace accel_rewrite
