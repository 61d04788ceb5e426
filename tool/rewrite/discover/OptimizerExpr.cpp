#include "discover/OptimizerExpr.h"
#include "discover/Types.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace accel_rewrite {

namespace {

bool isOptimizerClass(QualType T) {
  return !T.isNull() && T->getAsCXXRecordDecl() && isOptimizer(T);
}

/// Something of the standard library, or libtorch's own optional.
const ClassTemplateSpecializationDecl* libraryTemplate(QualType T) {
  const auto* Class = dyn_cast_or_null<ClassTemplateSpecializationDecl>(T->getAsCXXRecordDecl());
  if (!Class)
    return nullptr;
  bool Known = Class->isInStdNamespace() || Class->getName() == "optional";
  return Known ? Class : nullptr;
}

Hold strongest(const TemplateArgumentList& Arguments) {
  for (const TemplateArgument& A : Arguments.asArray()) {
    if (A.getKind() != TemplateArgument::Type)
      continue;
    if (Hold H = holds(A.getAsType()); H != Hold::None)
      return H;
  }
  return Hold::None;
}

} // namespace

Hold holds(QualType T) {
  if (T.isNull())
    return Hold::None;
  if (T->isReferenceType()) {
    Hold Inner = holds(T->getPointeeType());
    return Inner == Hold::Value && T->getPointeeType()->getAsCXXRecordDecl() &&
                   !libraryTemplate(T->getPointeeType())
               ? Hold::Reference
               : Inner;
  }
  if (const auto* Array = T->getAsArrayTypeUnsafe())
    return holds(Array->getElementType());
  if (T->isPointerType()) {
    Hold Inner = holds(T->getPointeeType());
    return Inner == Hold::Value && !libraryTemplate(T->getPointeeType()) ? Hold::Pointer : Inner;
  }
  const ClassTemplateSpecializationDecl* Library = libraryTemplate(T);
  if (!Library)
    return T->getAsCXXRecordDecl() && isOptimizerClass(T) ? Hold::Value : Hold::None;
  Hold Inner = strongest(Library->getTemplateArgs());
  llvm::StringRef Name = Library->getName();
  if (Inner == Hold::Value && (Name == "unique_ptr" || Name == "shared_ptr" || Name == "weak_ptr" ||
                               Name == "reference_wrapper")) {
    QualType Element = Library->getTemplateArgs()[0].getAsType();
    return libraryTemplate(Element) ? Inner : Hold::Pointer;
  }
  return Inner;
}

SourceRange optimizerIn(TypeLoc Written) {
  TypeLoc T = Written.getUnqualifiedLoc();
  if (isOptimizerClass(T.getType()) && !libraryTemplate(T.getType()))
    return T.getAs<AutoTypeLoc>() ? SourceRange() : T.getSourceRange();
  if (auto Reference = T.getAs<ReferenceTypeLoc>())
    return optimizerIn(Reference.getPointeeLoc());
  if (auto Array = T.getAs<ArrayTypeLoc>())
    return optimizerIn(Array.getElementLoc());
  if (auto Elaborated = T.getAs<ElaboratedTypeLoc>())
    return optimizerIn(Elaborated.getNamedTypeLoc());
  auto Template = T.getAs<TemplateSpecializationTypeLoc>();
  if (!Template)
    return {};
  SourceRange Found;
  for (unsigned I = 0; I < Template.getNumArgs(); ++I)
    if (const TypeSourceInfo* Argument = Template.getArgLoc(I).getTypeSourceInfo();
        Argument && holds(Argument->getType()) == Hold::Value) {
      if (Found.isValid())
        return {};
      Found = optimizerIn(Argument->getTypeLoc());
    }
  return Found;
}

void OptimizerValue::add(OptimizerValue Other) {
  From.insert(From.end(), Other.From.begin(), Other.From.end());
  Made.insert(Made.end(), Other.Made.begin(), Other.Made.end());
}

OptimizerNode madeNode(const Source& Src, const Expr* E) {
  Span At = Src.pointAt(E->getExprLoc());
  return "made at " + At.File + ":" + std::to_string(At.Begin);
}

OptimizerNode resultNode(const FunctionDecl* F) {
  return "result of " + Source::key(F);
}

static bool isCopyOrMove(const CXXConstructExpr* E) {
  return E->getConstructor()->isCopyOrMoveConstructor();
}

static const CXXConstructExpr* constructed(const Expr* E) {
  if (const auto* Cast = dyn_cast<CXXFunctionalCastExpr>(E))
    E = Cast->getSubExpr()->IgnoreImplicit();
  return dyn_cast<CXXConstructExpr>(E);
}

/// `std::unique_ptr<T>(new T(args))`. With a base class's pointer the class must be one that is
/// known at run time: libtorch's own.
static bool wrapsNew(const CXXConstructExpr* E) {
  QualType Pointee = pointee(E->getType());
  if (!isOptimizerClass(Pointee) || E->getNumArgs() == 0)
    return false;
  const auto* New = dyn_cast<CXXNewExpr>(written(E->getArg(0)));
  const CXXRecordDecl* Class = New ? New->getAllocatedType()->getAsCXXRecordDecl() : nullptr;
  if (!Class)
    return false;
  const auto* Space = dyn_cast<NamespaceDecl>(Class->getDeclContext());
  return Class->getCanonicalDecl() == Pointee->getAsCXXRecordDecl()->getCanonicalDecl() ||
         (Space && Space->getName() == "optim");
}

bool makesOptimizer(const Expr* E) {
  if (const auto* New = dyn_cast<CXXNewExpr>(E))
    return isOptimizerClass(New->getAllocatedType()) && !New->isArray();
  if (const CXXConstructExpr* Construct = constructed(E); Construct && wrapsNew(Construct))
    return true;
  if (const CXXConstructExpr* Construct = constructed(E))
    return isOptimizerClass(Construct->getType()) && !libraryTemplate(Construct->getType()) &&
           !isCopyOrMove(Construct);
  const auto* Call = dyn_cast<CallExpr>(E);
  return Call &&
         (isNamed(Call->getDirectCallee(), "std::make_unique") ||
          isNamed(Call->getDirectCallee(), "std::make_shared")) &&
         isOptimizerClass(pointee(Call->getType()));
}

const CXXRecordDecl* madeClass(const Expr* E) {
  if (const auto* New = dyn_cast<CXXNewExpr>(E))
    return New->getAllocatedType()->getAsCXXRecordDecl();
  QualType Pointee = pointee(E->getType());
  return (Pointee.isNull() ? E->getType() : Pointee)->getAsCXXRecordDecl();
}

namespace {

/// Follows an expression to what it takes its value from.
class ValueOf {
public:
  explicit ValueOf(const Source& Src) : Src(Src) {}

  OptimizerValue of(const Expr* E) const {
    E = written(E);
    if (const auto* Default = dyn_cast<CXXDefaultArgExpr>(E))
      E = written(Default->getExpr());
    if (isNothing(E))
      return {};
    if (makesOptimizer(E))
      return {{madeNode(Src, E)}, {E}};
    if (const auto* Ref = dyn_cast<DeclRefExpr>(E))
      return declared(Ref->getDecl());
    if (const auto* Member = dyn_cast<MemberExpr>(E))
      return member(Member);
    if (const auto* Unary = dyn_cast<UnaryOperator>(E))
      return of(Unary->getSubExpr());
    if (const auto* Subscript = dyn_cast<ArraySubscriptExpr>(E))
      return of(Subscript->getBase());
    if (const auto* Cast = dyn_cast<ExplicitCastExpr>(E))
      return of(Cast->getSubExpr());
    if (const auto* Conditional = dyn_cast<ConditionalOperator>(E)) {
      OptimizerValue Both = of(Conditional->getTrueExpr());
      Both.add(of(Conditional->getFalseExpr()));
      return Both;
    }
    if (const auto* List = dyn_cast<CXXStdInitializerListExpr>(E))
      return of(List->getSubExpr());
    if (const auto* List = dyn_cast<InitListExpr>(E))
      return each(List->inits());
    if (const auto* Construct = dyn_cast<CXXConstructExpr>(E))
      return each(Construct->arguments());
    if (const auto* Call = dyn_cast<CallExpr>(E))
      return call(Call);
    return unknown();
  }

private:
  static OptimizerValue unknown() { return {{""}, {}}; }

  /// A null pointer, an empty optional, a size.
  static bool isNothing(const Expr* E) {
    if (isa<CXXNullPtrLiteralExpr>(E) || isa<GNUNullExpr>(E) || isa<IntegerLiteral>(E) ||
        isa<CXXScalarValueInitExpr>(E) || isa<ImplicitValueInitExpr>(E))
      return true;
    const CXXRecordDecl* Class = E->getType()->getAsCXXRecordDecl();
    return Class && Class->getName().starts_with("nullopt");
  }

  OptimizerValue declared(const ValueDecl* D) const {
    return isa<VarDecl>(D) || isa<BindingDecl>(D) ? OptimizerValue{{Src.key(D)}, {}} : unknown();
  }

  OptimizerValue member(const MemberExpr* E) const {
    const ValueDecl* D = E->getMemberDecl();
    if (Src.inProject(D->getLocation()))
      return {{Src.key(D)}, {}};
    // The entry of a map.
    return D->getName() == "first" || D->getName() == "second" ? of(E->getBase()) : unknown();
  }

  template <typename Range> OptimizerValue each(Range Values) const {
    OptimizerValue All;
    for (const Expr* E : Values)
      if (holds(E->getType()) != Hold::None || isa<InitListExpr>(E))
        All.add(of(E));
    return All;
  }

  /// Functions of the library that hand on their first argument.
  static bool handsOn(const FunctionDecl* F) {
    static const llvm::StringRef Names[] = {
        "std::move",      "std::forward",    "std::ref",      "std::cref",
        "std::as_const",  "std::addressof",  "std::get",      "std::static_pointer_cast",
        "std::begin",     "std::end",        "std::prev",     "std::next",
        "std::make_pair", "std::make_tuple", "std::exchange", "std::dynamic_pointer_cast",
        "std::tie"};
    for (llvm::StringRef Name : Names)
      if (isNamed(F, Name))
        return true;
    return false;
  }

  OptimizerValue call(const CallExpr* E) const {
    const FunctionDecl* F = E->getDirectCallee();
    if (const auto* Operator = dyn_cast<CXXOperatorCallExpr>(E)) {
      if (Operator->getOperator() == OO_Call)
        return F && Src.inProject(F->getLocation()) ? result(F) : unknown();
      return of(Operator->getArg(0));
    }
    if (!F)
      return unknown();
    if (Src.inProject(F->getLocation()))
      return result(F);
    if (const auto* Method = dyn_cast<CXXMemberCallExpr>(E))
      return holds(Method->getImplicitObjectArgument()->getType()) != Hold::None
                 ? of(Method->getImplicitObjectArgument())
                 : unknown();
    return handsOn(F) ? each(E->arguments()) : unknown();
  }

  static OptimizerValue result(const FunctionDecl* F) { return {{resultNode(F)}, {}}; }

  const Source& Src;
};

} // namespace

OptimizerValue optimizerValue(const Source& Src, const Expr* E) {
  return ValueOf(Src).of(E);
}

} // namespace accel_rewrite
