//===- FunctionBody.h - One function as every kind of discovery sees it ---===//
//
// A new kind of fact is a new file with a function that takes a FunctionBody,
// and a line in the list of Discover.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef ACCEL_REWRITE_DISCOVER_FUNCTIONBODY_H
#define ACCEL_REWRITE_DISCOVER_FUNCTIONBODY_H

#include "discover/Source.h"
#include "facts/Facts.h"

#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ParentMap.h"
#include "clang/AST/Stmt.h"

namespace accel_rewrite {

/// The definition of a function, never a dependent one: of a template, each of its instantiations.
/// Lambdas in it belong to it.
class FunctionBody {
public:
  FunctionBody(const Source& Src, const clang::FunctionDecl* Decl, Facts& Out)
      : Src(Src), Decl(Decl), Key(Source::key(Decl)), Out(Out),
        Parents(const_cast<clang::Stmt*>(Decl->getBody())) {
    // A constructor's initialisers come first.
    if (const auto* Constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(Decl))
      for (const clang::CXXCtorInitializer* Init : Constructor->inits())
        if (Init->isWritten()) {
          Parents.addStmt(Init->getInit());
          collect(Init->getInit());
        }
    collect(Decl->getBody());
  }

  /// Calls \p Do with each node of kind \p Node, in source order.
  template <typename Node, typename Callback> void forEach(Callback Do) const {
    for (const clang::Stmt* S : Nodes)
      if (const auto* N = llvm::dyn_cast<Node>(S))
        Do(N);
  }

  /// Calls \p Do with each variable that is declared in the body.
  template <typename Callback> void forEachVariable(Callback Do) const {
    forEach<clang::DeclStmt>([&](const clang::DeclStmt* Statement) {
      for (const clang::Decl* D : Statement->decls())
        if (const auto* Var = llvm::dyn_cast<clang::VarDecl>(D))
          Do(Var, Statement);
    });
  }

  const clang::Stmt* parent(const clang::Stmt* S) const {
    return Parents.getParent(const_cast<clang::Stmt*>(S));
  }

  /// The nearest node of kind \p Node around \p S.
  template <typename Node> const Node* enclosing(const clang::Stmt* S) const {
    for (S = parent(S); S; S = parent(S))
      if (const auto* N = llvm::dyn_cast<Node>(S))
        return N;
    return nullptr;
  }

  bool isInside(const clang::Stmt* S, const clang::Stmt* Outer) const {
    for (; S; S = parent(S))
      if (S == Outer)
        return true;
    return false;
  }

  /// The expression statement that \p E is the whole of (casts and temporaries aside); null where
  /// its value is used.
  const clang::Stmt* asStatement(const clang::Expr* E) const;

  const Source& Src;
  const clang::FunctionDecl* Decl;
  const FunctionKey Key;
  Facts& Out;

private:
  void collect(const clang::Stmt* S) {
    if (!S)
      return;
    Nodes.push_back(S);
    for (const clang::Stmt* Child : S->children())
      collect(Child);
  }

  clang::ParentMap Parents;
  std::vector<const clang::Stmt*> Nodes;
};

void discoverCalls(const FunctionBody& Body);
void discoverDevices(const FunctionBody& Body);
/// After discoverDevices.
void discoverDeviceUses(const FunctionBody& Body);
void discoverHostTensors(const FunctionBody& Body);
void discoverDeviceValues(const FunctionBody& Body);
/// The initialiser of a field, or of a variable outside of functions.
void discoverDeviceValue(const Source& Src, const clang::DeclaratorDecl* D, Facts& Out);
void discoverPlacements(const FunctionBody& Body);
void discoverOptimizers(const FunctionBody& Body);
void discoverOptimizerTypes(const FunctionBody& Body);
/// The initialiser of a field, or of a variable outside of functions.
void discoverOptimizer(const Source& Src, const clang::DeclaratorDecl* D, Facts& Out);
void discoverLoaders(const FunctionBody& Body);
void discoverBatches(const FunctionBody& Body);
void discoverLoops(const FunctionBody& Body);
void discoverBackwards(const FunctionBody& Body);
void discoverSteps(const FunctionBody& Body);
void discoverLambdas(const FunctionBody& Body);
void discoverHazards(const FunctionBody& Body);
void discoverThreads(const FunctionBody& Body);
void discoverBatchReads(const FunctionBody& Body);
void discoverOutputs(const FunctionBody& Body);
void discoverMacroSites(const FunctionBody& Body);

/// Where something that can be seen from the function is called `accelerator` or `accel`; invalid
/// where nothing is.
Span takenName(const FunctionBody& Body);

} // namespace accel_rewrite

#endif
