//===- Source.h - From the AST to places and names in files ---------------===//
#ifndef ACCEL_REWRITE_DISCOVER_SOURCE_H
#define ACCEL_REWRITE_DISCOVER_SOURCE_H

#include "facts/Facts.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

#include <optional>

namespace accel_rewrite {

class Project;

/// Maps nodes of one translation unit to spans, keys and text. Not thread safe; one a unit.
class Source {
public:
  Source(const clang::ASTContext& AST, const Project& P) : AST(AST), P(P) {}

  const clang::ASTContext& ast() const { return AST; }
  bool inProject(clang::SourceLocation Loc) const { return !file(Loc).empty(); }

  /// The bytes that a range of tokens covers. Invalid where they aren't all written in one place of
  /// a project file (a macro's body, another file); arguments of a macro are.
  Span span(clang::SourceRange Tokens) const;
  Span span(const clang::Stmt* S) const { return span(S->getSourceRange()); }
  /// Where to point a person to, even into a macro's expansion.
  Span pointAt(clang::SourceLocation Loc) const;
  /// A statement with its `;` if it has one.
  Span statement(const clang::Stmt* S) const;
  std::string text(const Span& Where) const;
  std::string text(const clang::Stmt* S) const { return text(span(S)); }
  /// White space at the begin of the line of \p Where.
  std::string indent(const Span& Where) const;

  DeclKey key(const clang::ValueDecl* D) const;
  static FunctionKey key(const clang::FunctionDecl* F);

private:
  const std::string& file(clang::SourceLocation Loc) const;

  const clang::ASTContext& AST;
  const Project& P;
  mutable std::map<unsigned, std::string> Files;
};

/// The variable, parameter or field that \p E starts from: `batch` of `batch.data`, `loader` of
/// `*loader`, `net` of `net->fc`; null where there is none.
const clang::ValueDecl* rootOf(const clang::Expr* E);
/// \p E without parentheses, casts and temporaries that the source doesn't show.
const clang::Expr* written(const clang::Expr* E);
/// The variable that \p E is, nothing around it; null otherwise.
const clang::ValueDecl* plainVariable(const clang::Expr* E);

} // namespace accel_rewrite

#endif
