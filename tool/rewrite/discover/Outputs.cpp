//===- Outputs.cpp - What is printed and saved ----------------------------===//
#include "discover/FunctionBody.h"
#include "discover/Types.h"
#include "discover/Uniform.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace accel_rewrite {

namespace {

using Kind = Output::Kind;

bool isPathLike(QualType T) {
  T = T.getNonReferenceType();
  if (T->isPointerType() || T->isArrayType())
    return true;
  const CXXRecordDecl* Record = T->getAsCXXRecordDecl();
  return Record && Record->getName() == "basic_string";
}

llvm::StringRef nameOf(const FunctionDecl* F) {
  return F && F->getDeclName().isIdentifier() ? F->getName() : llvm::StringRef();
}

/// Functions that write a file whose name they're given.
bool writesFile(const CallExpr* E, const FunctionDecl* Callee) {
  llvm::StringRef Name = nameOf(Callee);
  if (const auto* Member = dyn_cast<CXXMemberCallExpr>(E))
    return (Name == "save_to" && E->getNumArgs() > 0 &&
            isPathLike(written(E->getArg(0))->getType())) ||
           (isMethodOf(Member->getMethodDecl(), "torch::jit::Module", "save") &&
            E->getNumArgs() > 0 && isPathLike(written(E->getArg(0))->getType())) ||
           Name == "add_scalar";
  return isNamed(Callee, "cv::imwrite") || Name.starts_with("stbi_write_");
}

class OutputReader {
public:
  explicit OutputReader(const FunctionBody& Body) : Body(Body), Same(Body) {}

  void read() {
    Body.forEach<DeclRefExpr>([&](const DeclRefExpr* Ref) { readStream(Ref); });
    Body.forEach<CallExpr>([&](const CallExpr* E) { readCall(E); });
    Body.forEachVariable([&](const VarDecl* Var, const DeclStmt*) {
      const auto* Construct = Var->getInit() && isOutputFile(Var->getType())
                                  ? dyn_cast<CXXConstructExpr>(Var->getInit()->IgnoreImplicit())
                                  : nullptr;
      if (Construct && Construct->getNumArgs() > 0)
        add(Kind::File, Body.Src.span(SourceRange(Var->getLocation())));
    });
  }

private:
  void add(Kind What, const Span& Where) {
    if (Where.valid())
      Body.Out.Outputs.push_back({Body.Key, What, Where, {}, {}});
  }

  static bool isOutputFile(QualType T) {
    const CXXRecordDecl* Record = T.getNonReferenceType()->getAsCXXRecordDecl();
    return Record && Record->isInStdNamespace() && Record->getName() == "basic_ofstream";
  }

  void readStream(const DeclRefExpr* Ref) {
    if (!Ref->getDecl()->isInStdNamespace() || !isa<VarDecl>(Ref->getDecl()))
      return;
    llvm::StringRef Name = Ref->getDecl()->getName();
    if (Name == "cout")
      add(Kind::Cout, Body.Src.span(Ref->getSourceRange()));
    else if (Name == "cerr" || Name == "clog")
      add(Kind::Error, Body.Src.span(Ref->getSourceRange()));
  }

  void readCall(const CallExpr* E) {
    const FunctionDecl* Callee = E->getDirectCallee();
    if (!Callee)
      return;
    if (writesFile(E, Callee))
      return addWrite(E);
    if (const auto* Member = dyn_cast<CXXMemberCallExpr>(E);
        Member && nameOf(Callee) == "open" && E->getNumArgs() > 0 &&
        isOutputFile(Member->getImplicitObjectArgument()->getType()))
      return add(Kind::File, Body.Src.pointAt(E->getExprLoc()));
    const auto* Ref = dyn_cast<DeclRefExpr>(E->getCallee()->IgnoreParenImpCasts());
    if (!Ref)
      return;
    Span Name = Body.Src.span(SourceRange(Ref->getBeginLoc(), Ref->getNameInfo().getEndLoc()));
    if (isNamed(Callee, "torch::save") && E->getNumArgs() > 1) {
      bool ToPath = isPathLike(written(E->getArg(1))->getType());
      // accelerator.save() is for all processes together; where they may not agree, the main one
      // goes by its own condition.
      if (ToPath && Same.differingGuard(E))
        return addWrite(E);
      return add(ToPath ? Kind::Save : Kind::SaveToStream, Name);
    }
    if (Callee->isExternC())
      readStdio(E, nameOf(Callee), Name);
  }

  void readStdio(const CallExpr* E, llvm::StringRef Name, Span Token) {
    if (Name == "printf")
      return add(Kind::Printf, Token);
    if (Name == "puts")
      return add(Kind::Puts, Token);
    if (Name == "fopen" && E->getNumArgs() > 1) {
      const auto* Mode = dyn_cast<StringLiteral>(E->getArg(1)->IgnoreParenImpCasts());
      if (Mode && (Mode->getString().contains('w') || Mode->getString().contains('a')))
        add(Kind::File, Token);
      return;
    }
    if (Name != "fprintf" || E->getNumArgs() < 2)
      return;
    std::string Stream = Body.Src.text(E->getArg(0));
    Span Format = Body.Src.span(E->getArg(1));
    if (Stream == "stderr")
      add(Kind::Error, Token);
    if (Stream != "stdout" || !Token.valid() || !Format.valid())
      return;
    Token.End = Format.Begin;
    add(Kind::PrintfTo, Token);
  }

  /// A call that writes a file. The main process alone may make it where it is a statement of its
  /// own, in braces, whose arguments do nothing else.
  void addWrite(const CallExpr* E) {
    Output Fact{Body.Key, Kind::Write, Body.Src.pointAt(E->getExprLoc()), {}, {}};
    const Stmt* Whole = Body.asStatement(E);
    if (Whole && isa_and_nonnull<CompoundStmt>(Body.parent(Whole)) && isPlain(E, E)) {
      Fact.Statement = Body.Src.statement(Whole);
      Fact.Indent = Body.Src.indent(Fact.Statement);
      if (Fact.Statement.Column != Fact.Indent.size() + 1)
        Fact.Statement = {};
    }
    Body.Out.Outputs.push_back(std::move(Fact));
  }

  /// Only reads variables, and calls what the standard library has.
  bool isPlain(const Stmt* S, const CallExpr* Whole) const {
    if (const auto* Call = dyn_cast<CallExpr>(S); Call && Call != Whole) {
      const FunctionDecl* Callee = Call->getDirectCallee();
      bool Standard = Callee && (Callee->isInStdNamespace() ||
                                 (isa<CXXMethodDecl>(Callee) &&
                                  cast<CXXMethodDecl>(Callee)->getParent()->isInStdNamespace()));
      if (!Standard)
        return false;
    }
    if (const auto* Unary = dyn_cast<UnaryOperator>(S); Unary && Unary->isIncrementDecrementOp())
      return false;
    if (const auto* Binary = dyn_cast<BinaryOperator>(S); Binary && Binary->isAssignmentOp())
      return false;
    return llvm::all_of(S->children(),
                        [&](const Stmt* Child) { return !Child || isPlain(Child, Whole); });
  }

  const FunctionBody& Body;
  Uniform Same;
};

} // namespace

void discoverOutputs(const FunctionBody& Body) {
  OutputReader(Body).read();
}

} // namespace accel_rewrite
