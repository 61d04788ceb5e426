#include "discover/Layers.h"
#include "discover/Types.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace clang;

namespace accel_rewrite {

/// The name of a class of torch::nn, without the end that its parts have; empty for other types.
static llvm::StringRef layerName(const CXXRecordDecl* Record, llvm::StringRef End = "") {
  const auto* Space =
      Record ? dyn_cast<NamespaceDecl>(Record->getDeclContext()->getRedeclContext()) : nullptr;
  llvm::StringRef Name = Space && Space->getName() == "nn" ? Record->getName() : "";
  return Name.consume_back(End) ? Name : "";
}

static llvm::StringRef layerName(QualType T, llvm::StringRef End = "") {
  return layerName(T.getNonReferenceType()->getAsCXXRecordDecl(), End);
}

/// Layers with an option for where the rows lie.
static bool hasOption(llvm::StringRef Name) {
  return Name == "LSTM" || Name == "GRU" || Name == "RNN";
}

static bool isSequence(llvm::StringRef Name) {
  return hasOption(Name) || Name == "Transformer" || Name == "TransformerEncoder" ||
         Name == "TransformerDecoder" || Name == "MultiheadAttention";
}

/// What `LSTMOptions(4, 8).num_layers(2)` is called on.
static const Expr* chainStart(const Expr* E) {
  E = written(E);
  while (const auto* Method = dyn_cast<CXXMemberCallExpr>(E))
    E = written(Method->getImplicitObjectArgument());
  return E;
}

namespace {

class LayerFinder : public RecursiveASTVisitor<LayerFinder> {
public:
  LayerFinder(const Source& Src, Facts& Out) : Src(Src), Out(Out) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseDecl(Decl* D) {
    if (D && !isa<TranslationUnitDecl>(D) && !isa<NamespaceDecl>(D) && !isa<LinkageSpecDecl>(D) &&
        !Src.inProject(D->getLocation()))
      return true;
    return RecursiveASTVisitor::TraverseDecl(D);
  }

  bool VisitCXXMemberCallExpr(CXXMemberCallExpr* E) {
    const CXXMethodDecl* Method = E->getMethodDecl();
    if (!Method || !Method->getDeclName().isIdentifier() || Method->getName() != "batch_first" ||
        E->getNumArgs() != 1)
      return true;
    Expr::EvalResult Value;
    if (E->getArg(0)->isValueDependent() ||
        !E->getArg(0)->EvaluateAsInt(Value, Method->getASTContext()) || Value.Val.getInt() == 0)
      return true;
    const Expr* Start = chainStart(E);
    BatchFirst.insert(Start);
    if (const ValueDecl* D = plainVariable(Start))
      BatchFirstOptions.insert(D);
    return true;
  }

  bool VisitVarDecl(VarDecl* Var) {
    if (Var->getInit() && hasOption(layerName(Var->getType(), "Options")))
      Holders.emplace_back(chainStart(Var->getInit()), Var);
    return true;
  }

  bool VisitFieldDecl(FieldDecl* Field) {
    const CXXRecordDecl* Layer =
        Field->getType()->isDependentType() ? nullptr : moduleClass(Field->getType());
    const auto* Class = dyn_cast<CXXRecordDecl>(Field->getParent());
    if (!Layer || !Class || Field->hasInClassInitializer() || !isSequence(layerName(Layer, "Impl")))
      return true;
    SequenceLayer Fact;
    Fact.Where = Src.pointAt(Field->getLocation());
    for (const CXXConstructorDecl* Constructor : Class->ctors())
      if (!Constructor->isImplicit() && !Constructor->isDeleted() && !Constructor->isDefaulted() &&
          !Constructor->isCopyOrMoveConstructor())
        Fact.Constructors.push_back(Source::key(Constructor));
    if (!Fact.Constructors.empty())
      Out.SequenceLayers.push_back(std::move(Fact));
    return true;
  }

  bool VisitCXXConstructExpr(CXXConstructExpr* E) {
    if (E->getNumArgs() == 0 || E->getConstructor()->isCopyOrMoveConstructor())
      return true;
    bool IsOptions = hasOption(layerName(E->getType(), "Options"));
    if (IsOptions || (isSequence(layerName(E->getType())) && makes(E->arguments())) ||
        (isSequence(layerName(E->getType(), "Impl")) && makes(E->arguments())))
      Made.push_back(E);
    return true;
  }

  bool VisitCallExpr(CallExpr* E) {
    const FunctionDecl* Callee = E->getDirectCallee();
    if (!Callee || !Callee->isInStdNamespace() || !Callee->getDeclName().isIdentifier() ||
        !Callee->getName().starts_with("make_"))
      return true;
    const CXXRecordDecl* Layer = moduleClass(E->getType());
    if (Layer && isSequence(layerName(Layer, "Impl")) && makes(E->arguments()))
      Made.push_back(E);
    return true;
  }

  void report() {
    for (const auto& [Start, Var] : Holders)
      if (BatchFirstOptions.count(Var))
        BatchFirst.insert(Start);
    for (const Expr* E : Made)
      if (!BatchFirst.count(E))
        Out.SequenceLayers.push_back({Src.pointAt(E->getExprLoc()), {}});
  }

private:
  /// Whether a layer with these arguments is made without options of the kind that are looked at
  /// where they are made themselves.
  static bool makes(llvm::iterator_range<CallExpr::const_arg_iterator> Arguments) {
    return makesOf({Arguments.begin(), Arguments.end()});
  }
  static bool makes(llvm::iterator_range<CXXConstructExpr::arg_iterator> Arguments) {
    return makesOf({Arguments.begin(), Arguments.end()});
  }
  static bool makesOf(std::vector<const Expr*> Arguments) {
    return !Arguments.empty() && llvm::none_of(Arguments, [](const Expr* Argument) {
      QualType T = written(Argument)->getType();
      return T->isNullPtrType() || T->isDependentType() || hasOption(layerName(T, "Options")) ||
             isModule(T);
    });
  }

  const Source& Src;
  Facts& Out;
  std::vector<const Expr*> Made;
  std::set<const Expr*> BatchFirst;
  std::set<const ValueDecl*> BatchFirstOptions;
  std::vector<std::pair<const Expr*, const VarDecl*>> Holders;
};

} // namespace

void discoverLayers(const Source& Src, TranslationUnitDecl* Unit, Facts& Out) {
  LayerFinder Finder(Src, Out);
  Finder.TraverseDecl(Unit);
  Finder.report();
}

} // namespace accel_rewrite
