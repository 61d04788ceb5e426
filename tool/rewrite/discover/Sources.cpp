#include "discover/Sources.h"
#include "discover/Fills.h"
#include "discover/Mentions.h"
#include "discover/TensorTypes.h"
#include "discover/Types.h"
#include "discover/Values.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace accel_rewrite {

std::vector<BatchSource> SourceReader::read(const Expr* Loss) {
  follow(Loss);
  return std::move(Out);
}

void SourceReader::followAll(llvm::ArrayRef<const Expr*> Values) {
  for (const Expr* Value : Values)
    follow(Value);
}

void SourceReader::followChildren(const Expr* E) {
  for (const Stmt* Child : E->children())
    if (const auto* Part = dyn_cast_or_null<Expr>(Child))
      follow(Part);
}

void SourceReader::follow(const Expr* E) {
  E = written(E);
  bool MayHold = holdsTensors(E->getType()) || isa<InitListExpr>(E) ||
                 isa<CXXStdInitializerListExpr>(E) || isa<CXXConstructExpr>(E);
  if (!MayHold || !Done.insert(E).second)
    return;
  if (const auto* Ref = dyn_cast<DeclRefExpr>(E))
    return followVariable(E, Ref->getDecl());
  if (const auto* Member = dyn_cast<MemberExpr>(E))
    return followMember(Member);
  if (const auto* Operator = dyn_cast<CXXOperatorCallExpr>(E))
    return followOperator(Operator);
  if (const auto* Method = dyn_cast<CXXMemberCallExpr>(E))
    return followMethod(Method);
  if (const auto* Call = dyn_cast<CallExpr>(E))
    return followCall(Call);
  if (const auto* Lambda = dyn_cast<LambdaExpr>(E))
    return unknown(Lambda, "it is computed in a lambda");
  followChildren(E);
}

/// What a model is given. Where that is trained itself (an image, say), it has no rows to divide.
void SourceReader::followInputs(llvm::ArrayRef<const Expr*> Values) {
  for (const Expr* Value : Values) {
    const ValueDecl* D = plainVariable(Value);
    if (D && isTrained(Body, D))
      unknown(Value, "the model's input is what is trained", "AR051");
    else
      follow(Value);
  }
}

void SourceReader::followVariable(const Expr* Mention, const ValueDecl* D) {
  if (isTrained(Body, D))
    return;
  if (const auto* Binding = dyn_cast<BindingDecl>(D)) {
    const auto* Whole = cast<VarDecl>(Binding->getDecomposedDecl());
    if (!isInScope(Whole) || !Whole->getInit() || isLoopVariable(Body, Whole) ||
        (!isDivisible(Body.Src, Whole->getType()) && !touchesModel(Whole->getInit())))
      return outside(Mention, D);
    return follow(Whole->getInit());
  }
  const auto* Var = dyn_cast<VarDecl>(D);
  if (!Var)
    return;
  if (isFilledOutside(Var, Mention))
    return outside(Mention, D);
  if (isFilledByParts(Mention))
    return outside(Mention, D);
  if (!Visited.insert(D).second)
    return;
  std::vector<const Expr*> Values = valuesOf(Body, Writes, D);
  for (const Expr* Element : elementsOf(Body, D))
    Values.push_back(Element);
  if (Values.empty() || (Values.size() == 1 && isEmptyTensor(Var)))
    return unknown(Mention, "where its values come from can't be told");
  followAll(Values);
}

/// Whether what the step works on is put into \p Var elsewhere: before it, or by a function that it
/// is given to.
bool SourceReader::isFilledOutside(const VarDecl* Var, const Expr* Mention) {
  bool FromCall = std::any_of(Writes.begin(), Writes.end(), [&](const Write& W) {
    return W.Target == Var && W.How == Write::Kind::Other && fillsArgument(W.Where);
  });
  if (isInScope(Var) && !isLoopVariable(Body, Var))
    return FromCall && !touchesModel(Mention);
  // Assigned anew in each step: `torch::Tensor loss;`
  bool Empty = !isa<ParmVarDecl>(Var) && !Var->hasGlobalStorage() && isEmptyTensor(Var);
  return FromCall || !(Empty || isSetBefore(Var, Mention));
}

/// Whether each step puts something new into \p Var before it comes to \p Mention.
bool SourceReader::isSetBefore(const VarDecl* Var, const Expr* Mention) const {
  unsigned At = Body.Src.pointAt(Mention->getBeginLoc()).Begin;
  return std::any_of(Writes.begin(), Writes.end(), [&](const Write& W) {
    bool Whole = W.How == Write::Kind::Assign || valueOfTie(Body, W.Where);
    if (W.Target != Var || !Whole || !Body.isInside(W.Where, Scope))
      return false;
    const Stmt* Statement = W.Where;
    for (const Stmt* Up = Body.parent(Statement); Up && isa<Expr>(Up); Up = Body.parent(Up))
      Statement = Up;
    for (const Stmt* Up = Body.parent(Statement); Up && Up != Scope; Up = Body.parent(Up))
      if (!isa<CompoundStmt>(Up) && !isa<CXXTryStmt>(Up))
        return false; // only in some cases
    Span Where = Body.Src.span(Statement);
    return Where.valid() && Where.End <= At;
  });
}

/// Whether the step writes rows of the tensor one by one, so that it needs all of them until then.
bool SourceReader::isFilledByParts(const Expr* Mention) {
  std::vector<InPlaceWrite> InStep = inPlaceWrites(Body, Mention, Scope);
  return std::any_of(InStep.begin(), InStep.end(), [&](const InPlaceWrite& W) {
    return W.How == InPlace::Fills || (W.How == InPlace::Combines && !touchesModel(Mention));
  });
}

void SourceReader::followMember(const MemberExpr* E) {
  const Expr* Base = written(E->getBase());
  if (isa<CXXThisExpr>(Base)) {
    // What a model holds is trained, or belongs to the model.
    if (!isModule(Base->getType()->getPointeeType()))
      outside(E, E->getMemberDecl());
    return;
  }
  const auto* Root = dyn_cast_or_null<VarDecl>(rootOf(E));
  if (!Root || isModule(Root->getType()))
    return Root ? void() : follow(Base);
  if (isInScope(Root) && !isLoopVariable(Body, Root) &&
      (isDivisible(Body.Src, Root->getType()) || touchesModel(Base)))
    return follow(Base);
  outside(E, Root);
}

void SourceReader::followMethod(const CXXMemberCallExpr* E) {
  const CXXMethodDecl* Method = E->getMethodDecl();
  const Expr* Object = E->getImplicitObjectArgument();
  llvm::ArrayRef<const Expr*> Arguments(E->getArgs(), E->getNumArgs());
  if (!Method || !Object)
    return unknown(E, "it is called through a pointer");
  Object = written(Object); // Some of Tensor's methods are those of a base.
  if (isModule(Object->getType()) || isScriptModule(Object->getType()))
    return followInputs(Arguments);
  if (!isTensor(Object->getType())) {
    if (Method->getParent()->getName().ends_with("Options"))
      return; // A loss's weights, one for each class.
    if (Body.Src.inProject(Method->getLocation()))
      return followProjectCall(E, Arguments);
    follow(Object);
    return followAll(Arguments);
  }
  llvm::StringRef Name = Method->getDeclName().isIdentifier() ? Method->getName() : "";
  if (!touchesModel(E)) {
    RowUse Use = rowUse(Body, E);
    if (Use == RowUse::Picks)
      return made(E);
    if (Use == RowUse::TakesOne)
      return unknown(E, "it is a single row");
    if (Use == RowUse::Mixes)
      return unknown(E, "it is computed from all rows of the batch");
    if (Use == RowUse::Moves)
      return unknown(E, "its rows may lie in another dimension than the first");
  } else if (Name.starts_with("index") || Name == "gather" || Name == "masked_select") {
    // `output.gather(1, actions)`: the rows of both belong together.
    if (Name != "gather")
      return unknown(E, "it picks rows of what the model computed");
  }
  if (const Expr* Rows = fixedRows(Body, E, Scope))
    unknown(Rows, "the number of rows is fixed here", "AR053");
  follow(Object);
  followAll(Arguments);
}

void SourceReader::followOperator(const CXXOperatorCallExpr* E) {
  llvm::ArrayRef<const Expr*> Arguments(E->getArgs(), E->getNumArgs());
  const Expr* First = Arguments.front();
  switch (E->getOperator()) {
  case OO_Call:
    if (isModule(First->getType()))
      return followInputs(Arguments.drop_front());
    if (const auto* Record = First->getType().getNonReferenceType()->getAsCXXRecordDecl();
        Record && Record->isLambda())
      return unknown(E, "it is computed in a lambda");
    return followProjectCall(E, Arguments.drop_front());
  case OO_Subscript:
    if (isTensor(First->getType()) && !touchesModel(E))
      return unknown(E, "it is a single row");
    if (!isTensor(First->getType()) && isTensor(E->getType()) && !touchesModel(E))
      return made(E);
    return follow(First);
  case OO_Plus:
  case OO_Minus:
  case OO_Star:
  case OO_Slash:
    if (!touchesModel(E) && mixesRows(Body, E))
      return made(E);
    return followAll(Arguments);
  default:
    return followAll(Arguments);
  }
}

void SourceReader::followCall(const CallExpr* E) {
  const FunctionDecl* Callee = E->getDirectCallee();
  llvm::ArrayRef<const Expr*> Arguments(E->getArgs(), E->getNumArgs());
  if (!Callee || !Callee->getDeclName().isIdentifier())
    return unknown(E, "it is called through a pointer");
  if (Body.Src.inProject(Callee->getLocation()))
    return followProjectCall(E, Arguments);
  // `std::get<0>(batch)`: of a batch from elsewhere, this part.
  if (const auto* Var = dyn_cast_or_null<VarDecl>(tupleOf(E));
      Var && isTensor(E->getType()) && isFilledOutside(Var, Arguments.front()))
    return outside(E, Var);
  switch (creation(Body, E)) {
  case Creation::None:
    for (unsigned I = 0; I < Arguments.size(); ++I)
      if (I >= Callee->getNumParams() || !Callee->getParamDecl(I)->getName().contains("weight"))
        follow(Arguments[I]);
    return;
  case Creation::Scalar:
    return;
  case Creation::Like:
    return follow(Arguments.front());
  case Creation::Joined:
    return touchesModel(E) ? followAll(Arguments) : made(E);
  case Creation::Rows:
    return made(E, /*Created=*/true);
  case Creation::Other:
    return unknown(E, "it has no rows, or rows that aren't the batch's");
  }
}

/// A vector of examples, one a row.
static bool isListOfExamples(QualType T) {
  const auto* List = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      T.getNonReferenceType()->getAsCXXRecordDecl());
  if (!List || !List->isInStdNamespace() || List->getName() != "vector" ||
      List->getTemplateArgs().get(0).getKind() != TemplateArgument::Type)
    return false;
  QualType Entry = List->getTemplateArgs().get(0).getAsType();
  return !isTensor(Entry) && holdsTensors(Entry);
}

/// A function of the project: of rows it makes rows; it joins examples to rows; from anything else
/// it brings them in.
void SourceReader::followProjectCall(const CallExpr* E, llvm::ArrayRef<const Expr*> Values) {
  bool TakesTensors = std::any_of(Values.begin(), Values.end(), [&](const Expr* Value) {
    return holdsTensors(Value->getType());
  });
  bool Joins = isDivisible(Body.Src, E->getType()) &&
               std::any_of(Values.begin(), Values.end(),
                           [](const Expr* Value) { return isListOfExamples(Value->getType()); });
  if (touchesModel(E) || (TakesTensors && !Joins))
    return followAll(Values);
  if (isDivisible(Body.Src, E->getType()))
    return made(E);
  unknown(E, "it is a class of the program's own, whose rows can't be divided as a whole");
}

bool SourceReader::isInScope(const ValueDecl* D) const {
  return Body.Src.span(Scope).contains(Body.Src.pointAt(D->getLocation()));
}

bool SourceReader::touchesModel(const Expr* E) {
  E = written(E);
  if (const auto* Ref = dyn_cast<DeclRefExpr>(E)) {
    const ValueDecl* D = Ref->getDecl();
    if (const auto* Binding = dyn_cast<BindingDecl>(D))
      D = cast<ValueDecl>(Binding->getDecomposedDecl());
    if (isModule(D->getType()) || isTrained(Body, D))
      return true;
    auto [Known, New] = OfModel.try_emplace(D, false);
    if (!New)
      return Known->second;
    bool Result = false;
    for (const auto& Values : {valuesOf(Body, Writes, D), elementsOf(Body, D)})
      for (const Expr* Value : Values)
        Result |= touchesModel(Value);
    return OfModel[D] = Result;
  }
  if (const auto* Call = dyn_cast<CallExpr>(E); Call && usesModel(Body.Src, Call))
    return true;
  if (const auto* Member = dyn_cast<MemberExpr>(E); Member && isModule(Member->getType()))
    return true;
  for (const Stmt* Child : E->children())
    if (const auto* Part = dyn_cast_or_null<Expr>(Child); Part && touchesModel(Part))
      return true;
  return false;
}

} // namespace accel_rewrite
