#include "discover/Discover.h"
#include "discover/DeviceExpr.h"
#include "discover/Files.h"
#include "discover/FunctionBody.h"
#include "discover/Layers.h"
#include "discover/Skipped.h"
#include "discover/Source.h"
#include "discover/Types.h"
#include "parse/Parse.h"
#include "project/Project.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace accel_rewrite {

namespace {

/// Collects the project's function definitions: plain ones, and every instantiation of its
/// templates.
class Definitions : public RecursiveASTVisitor<Definitions> {
public:
  explicit Definitions(const Source& Src) : Src(Src) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return false; }

  bool TraverseDecl(Decl* D) {
    // Skip what stands in system headers as a whole: nearly all of the unit.
    if (D && !isa<TranslationUnitDecl>(D) && !isa<NamespaceDecl>(D) && !isa<LinkageSpecDecl>(D) &&
        !Src.inProject(D->getLocation()))
      return true;
    return RecursiveASTVisitor::TraverseDecl(D);
  }

  bool VisitFunctionDecl(FunctionDecl* F) {
    if (!F->isThisDeclarationADefinition() || !F->hasBody() || F->isImplicit())
      return true;
    if (const auto* Method = dyn_cast<CXXMethodDecl>(F); Method && Method->getParent()->isLambda())
      return true;
    if (F->isDependentContext())
      Dependent.push_back(F);
    else
      Concrete.push_back(F);
    return true;
  }

  bool VisitDeclaratorDecl(DeclaratorDecl* D) {
    const auto* Var = dyn_cast<VarDecl>(D);
    if (!D->isTemplated() && !D->getType()->isDependentType() &&
        (isa<FieldDecl>(D) || (Var && Var->hasGlobalStorage() && !Var->isStaticLocal())))
      Outside.push_back(D);
    return true;
  }

  // A call in a template that nobody instantiated: all that can be known is the name.
  bool VisitCXXDependentScopeMemberExpr(CXXDependentScopeMemberExpr* E) {
    if (E->getMember().isIdentifier() &&
        E->getMember().getAsIdentifierInfo()->getName() == "backward")
      DependentBackwards.push_back(E);
    return true;
  }

  const Source& Src;
  std::vector<const FunctionDecl*> Concrete;
  std::vector<const FunctionDecl*> Dependent;
  /// Fields, and variables outside of functions.
  std::vector<const DeclaratorDecl*> Outside;
  std::vector<const CXXDependentScopeMemberExpr*> DependentBackwards;
};

void describeFunction(const FunctionBody& Body) {
  const FunctionDecl* F = Body.Decl;
  const auto* Compound = dyn_cast<CompoundStmt>(F->getBody());
  if (!Compound)
    return;
  Function Fact;
  Fact.Key = Body.Key;
  Fact.Name = F->getNameAsString();
  Fact.NameSpan = Body.Src.pointAt(F->getLocation());
  Fact.Body = Body.Src.span(Compound);
  if (!Fact.Body.valid())
    return;
  ++Fact.Body.Begin;
  --Fact.Body.End;
  for (const Stmt* S : Compound->body())
    Fact.Statements.push_back(Body.Src.statement(S));
  Fact.NameTaken = takenName(Body);
  const FunctionDecl* Pattern = F->getTemplateInstantiationPattern();
  if (!Pattern)
    Pattern = F;
  for (const ParmVarDecl* Param : Pattern->parameters()) {
    Parameter P;
    P.Key = Body.Src.key(Param);
    P.Name = Param->getNameAsString();
    P.IsDevice = isDeviceLike(Param->getType());
    P.TypeDeduced = Param->getType()->isDependentType();
    for (const FunctionDecl* Redeclaration : Pattern->redecls())
      P.Declarations.push_back(Body.Src.span(
          Redeclaration->getParamDecl(Param->getFunctionScopeIndex())->getSourceRange()));
    Fact.Parameters.push_back(std::move(P));
  }
  Body.Out.Functions.try_emplace(Fact.Key, std::move(Fact));
}

void describeFiles(const ParsedUnit& Unit, const Project& P, Facts& Out) {
  const SourceManager& SM = Unit.AST.getSourceManager();
  const LangOptions& Lang = Unit.AST.getLangOpts();
  std::string Main = P.fileOf(SM, SM.getLocForStartOfFile(SM.getMainFileID()));
  for (unsigned I = 0, N = SM.local_sloc_entry_size(); I != N; ++I) {
    const SrcMgr::SLocEntry& Entry = SM.getLocalSLocEntry(I);
    if (!Entry.isFile())
      continue;
    SourceLocation Start = SourceLocation::getFromRawEncoding(Entry.getOffset());
    std::string Path = P.fileOf(SM, Start);
    if (Path.empty())
      continue;
    SourceFile File = describeFile(SM, Lang, SM.getFileID(Start), Path);
    File.Skipped = skippedNames(SM, Lang, SM.getFileID(Start), Path, Unit.Skipped);
    File.Units = {Main};
    // A header that is included again is skipped by its guard.
    Facts Again;
    Again.Files.emplace(Path, std::move(File));
    Out.merge(std::move(Again));
  }
}

/// A `backward` in a template that nothing instantiates is named, so that no loop is passed over in
/// silence.
void reportUninstantiated(const Definitions& Found, const Source& Src, Facts& Out) {
  for (const CXXDependentScopeMemberExpr* E : Found.DependentBackwards) {
    bool Instantiated = false;
    for (const FunctionDecl* F : Found.Concrete)
      if (const FunctionDecl* Pattern = F->getTemplateInstantiationPattern())
        Instantiated |=
            Src.span(Pattern->getSourceRange()).contains(Src.pointAt(E->getMemberLoc()));
    if (!Instantiated)
      Out.Undescribeds.push_back({"AR012", Src.pointAt(E->getMemberLoc()),
                                  "this backward is in a template that nothing here instantiates, "
                                  "so its types are unknown",
                                  "name the file that calls the template too"});
  }
}

} // namespace

const Stmt* FunctionBody::asStatement(const Expr* E) const {
  const Stmt* S = E;
  const Stmt* Up = parent(S);
  while (Up && (isa<ExprWithCleanups>(Up) || isa<CXXBindTemporaryExpr>(Up) ||
                isa<MaterializeTemporaryExpr>(Up) || isa<ImplicitCastExpr>(Up))) {
    S = Up;
    Up = parent(S);
  }
  if (const auto* If = dyn_cast_or_null<IfStmt>(Up))
    return If->getThen() == S || If->getElse() == S ? S : nullptr;
  if (const auto* For = dyn_cast_or_null<ForStmt>(Up))
    return For->getBody() == S ? S : nullptr;
  if (const auto* Range = dyn_cast_or_null<CXXForRangeStmt>(Up))
    return Range->getBody() == S ? S : nullptr;
  if (const auto* While = dyn_cast_or_null<WhileStmt>(Up))
    return While->getBody() == S ? S : nullptr;
  return Up && isa<CompoundStmt>(Up) ? S : nullptr;
}

Facts discover(const ParsedUnit& Unit, const Project& P) {
  const ASTContext& AST = Unit.AST;
  Facts Out;
  Source Src(AST, P);
  Definitions Found(Src);
  Found.TraverseDecl(AST.getTranslationUnitDecl());
  describeFiles(Unit, P, Out);
  for (const FunctionDecl* F : Found.Concrete) {
    Facts One;
    FunctionBody Body(Src, F, One);
    describeFunction(Body);
    for (auto* Discover :
         {discoverCalls, discoverDevices, discoverDeviceUses, discoverDeviceValues,
          discoverHostTensors, discoverPlacements, discoverOptimizers, discoverOptimizerTypes,
          discoverLoaders, discoverBatches, discoverLoops, discoverBackwards, discoverSteps,
          discoverLambdas, discoverHazards, discoverThreads, discoverBatchReads, discoverOutputs,
          discoverMacroSites})
      Discover(Body);
    Out.merge(std::move(One));
  }
  for (const DeclaratorDecl* D : Found.Outside) {
    Facts One;
    discoverOptimizer(Src, D, One);
    discoverDeviceValue(Src, D, One);
    Out.merge(std::move(One));
  }
  discoverLayers(Src, AST.getTranslationUnitDecl(), Out);
  reportUninstantiated(Found, Src, Out);
  return Out;
}

} // namespace accel_rewrite
