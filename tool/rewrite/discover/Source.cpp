#include "discover/Source.h"
#include "project/Project.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Index/USRGeneration.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace accel_rewrite {

const std::string& Source::file(SourceLocation Loc) const {
  const SourceManager& SM = AST.getSourceManager();
  FileID File = SM.getFileID(SM.getExpansionLoc(Loc));
  auto [It, New] = Files.try_emplace(File.getHashValue());
  if (New)
    It->second = P.fileOf(SM, Loc);
  return It->second;
}

Span Source::pointAt(SourceLocation Loc) const {
  const SourceManager& SM = AST.getSourceManager();
  SourceLocation At = SM.getExpansionLoc(Loc);
  Span Result;
  if (At.isInvalid())
    return Result;
  Result.File = file(At);
  if (Result.File.empty())
    Result.File = SM.getFilename(At).str();
  auto [File, Offset] = SM.getDecomposedLoc(At);
  Result.Begin = Result.End = Offset;
  Result.Line = SM.getLineNumber(File, Offset);
  Result.Column = SM.getColumnNumber(File, Offset);
  return Result;
}

Span Source::span(SourceRange Tokens) const {
  const SourceManager& SM = AST.getSourceManager();
  CharSourceRange Range =
      Lexer::makeFileCharRange(CharSourceRange::getTokenRange(Tokens), SM, AST.getLangOpts());
  if (Range.isInvalid() || !inProject(Range.getBegin()))
    return {};
  Span Result = pointAt(Range.getBegin());
  Result.End = SM.getFileOffset(Range.getEnd());
  return Result;
}

Span Source::statement(const Stmt* S) const {
  Span Result = span(S);
  if (!Result.valid() || isa<DeclStmt>(S))
    return Result;
  const SourceManager& SM = AST.getSourceManager();
  SourceLocation Last = SM.getExpansionRange(S->getEndLoc()).getEnd();
  if (auto Next = Lexer::findNextToken(Last, SM, AST.getLangOpts()); Next && Next->is(tok::semi))
    Result.End = SM.getFileOffset(Next->getEndLoc());
  return Result;
}

std::string Source::text(const Span& Where) const {
  if (!Where.valid())
    return {};
  const SourceManager& SM = AST.getSourceManager();
  auto Entry = SM.getFileManager().getOptionalFileRef(Where.File);
  if (!Entry)
    return {};
  FileID File = SM.translateFile(*Entry);
  return File.isInvalid()
             ? std::string()
             : SM.getBufferData(File).substr(Where.Begin, Where.End - Where.Begin).str();
}

std::string Source::indent(const Span& Where) const {
  Span Line = Where;
  Line.Begin = Where.Begin - (Where.Column - 1);
  Line.End = Where.Begin;
  std::string Before = text(Line);
  return Before.substr(0, std::min(Before.size(), Before.find_first_not_of(" \t")));
}

DeclKey Source::key(const ValueDecl* D) const {
  if (!D)
    return {};
  Span At = pointAt(D->getLocation());
  return At.File + ":" + std::to_string(At.Begin);
}

/// Whether \p F is defined in the file that also has the program's `main`.
static bool isBesideMain(const FunctionDecl* F) {
  const ASTContext& AST = F->getASTContext();
  const SourceManager& SM = AST.getSourceManager();
  auto IsDefinedInMainFile = [&](const FunctionDecl* D) {
    const FunctionDecl* Definition = D ? D->getDefinition() : nullptr;
    return Definition &&
           SM.getFileID(SM.getExpansionLoc(Definition->getLocation())) == SM.getMainFileID();
  };
  if (!IsDefinedInMainFile(F))
    return false;
  for (const NamedDecl* D : AST.getTranslationUnitDecl()->lookup(&AST.Idents.get("main")))
    if (IsDefinedInMainFile(dyn_cast<FunctionDecl>(D)))
      return true;
  return false;
}

FunctionKey Source::key(const FunctionDecl* F) {
  if (!F)
    return {};
  if (const FunctionDecl* Pattern = F->getTemplateInstantiationPattern())
    F = Pattern;
  llvm::SmallString<128> USR;
  index::generateUSRForDecl(F->getCanonicalDecl(), USR);
  // A folder may hold several programs, each with a `main` and a `train` of its own.
  const SourceManager& SM = F->getASTContext().getSourceManager();
  if (OptionalFileEntryRef Main = SM.getFileEntryRefForID(SM.getMainFileID());
      Main && isBesideMain(F)) {
    USR += FileOfKey;
    USR += Main->getFileEntry().tryGetRealPathName();
  }
  return std::string(USR);
}

const Expr* written(const Expr* E) {
  for (;;) {
    const Expr* Inner = E->IgnoreUnlessSpelledInSource();
    if (const auto* Bind = dyn_cast<ExprWithCleanups>(Inner))
      Inner = Bind->getSubExpr();
    // A converting constructor that the source doesn't name: Device(kCUDA) from kCUDA.
    if (const auto* Construct = dyn_cast<CXXConstructExpr>(Inner);
        Construct && !isa<CXXTemporaryObjectExpr>(Construct) && Construct->getNumArgs() >= 1 &&
        Construct->getParenOrBraceRange().isInvalid())
      Inner = Construct->getArg(0);
    if (Inner == E)
      return E;
    E = Inner;
  }
}

const ValueDecl* plainVariable(const Expr* E) {
  const auto* Ref = dyn_cast<DeclRefExpr>(written(E));
  return Ref ? Ref->getDecl() : nullptr;
}

const ValueDecl* rootOf(const Expr* E) {
  for (;;) {
    E = written(E);
    if (const auto* Ref = dyn_cast<DeclRefExpr>(E))
      return isa<VarDecl>(Ref->getDecl()) || isa<BindingDecl>(Ref->getDecl()) ? Ref->getDecl()
                                                                              : nullptr;
    if (const auto* Member = dyn_cast<MemberExpr>(E)) {
      if (isa<CXXThisExpr>(written(Member->getBase())))
        return Member->getMemberDecl();
      E = Member->getBase();
    } else if (const auto* Operator = dyn_cast<CXXOperatorCallExpr>(E);
               Operator &&
               (Operator->getOperator() == OO_Star || Operator->getOperator() == OO_Arrow)) {
      E = Operator->getArg(0);
    } else if (const auto* Unary = dyn_cast<UnaryOperator>(E);
               Unary && (Unary->getOpcode() == UO_Deref || Unary->getOpcode() == UO_AddrOf)) {
      E = Unary->getSubExpr();
    } else if (const auto* Method = dyn_cast<CXXMemberCallExpr>(E);
               Method && Method->getMethodDecl() &&
               Method->getMethodDecl()->getDeclName().isIdentifier() &&
               Method->getMethodDecl()->getName() == "get") {
      E = Method->getImplicitObjectArgument();
    } else if (const auto* Call = dyn_cast<CallExpr>(E);
               Call && Call->getNumArgs() == 1 && Call->isCallToStdMove()) {
      E = Call->getArg(0);
    } else {
      return nullptr;
    }
  }
}

} // namespace accel_rewrite
