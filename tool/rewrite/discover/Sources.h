//===- Sources.h - From a loss back to the rows that it is made of --------===//
#ifndef ACCEL_REWRITE_DISCOVER_SOURCES_H
#define ACCEL_REWRITE_DISCOVER_SOURCES_H

#include "discover/FunctionBody.h"
#include "discover/Uniform.h"

#include <set>

namespace accel_rewrite {

/// Follows the values of a step back, through the local variables of a function, to where rows come
/// from. Models and what they compute are passed through; what is defined outside of the scope ends
/// the way.
class SourceReader {
public:
  SourceReader(const FunctionBody& Body, const std::vector<Write>& Writes, const clang::Stmt* Scope)
      : Body(Body), Writes(Writes), Scope(Scope) {}

  /// The sources of \p Loss, each once.
  std::vector<BatchSource> read(const clang::Expr* Loss);

private:
  void follow(const clang::Expr* E);
  void followAll(llvm::ArrayRef<const clang::Expr*> Values);
  void followInputs(llvm::ArrayRef<const clang::Expr*> Values);
  void followChildren(const clang::Expr* E);
  void followVariable(const clang::Expr* Mention, const clang::ValueDecl* D);
  bool isFilledOutside(const clang::VarDecl* Var, const clang::Expr* Mention);
  bool isSetBefore(const clang::VarDecl* Var, const clang::Expr* Mention) const;
  bool isFilledByParts(const clang::Expr* Mention);
  void followMember(const clang::MemberExpr* E);
  void followMethod(const clang::CXXMemberCallExpr* E);
  void followOperator(const clang::CXXOperatorCallExpr* E);
  void followCall(const clang::CallExpr* E);
  void followProjectCall(const clang::CallExpr* E, llvm::ArrayRef<const clang::Expr*> Values);

  void made(const clang::Expr* E, bool Created = false);
  void outside(const clang::Expr* Mention, const clang::ValueDecl* D);
  Span filledUntil(const clang::Expr* Mention, BatchSource& Source) const;
  void addMentions(const clang::Expr* Mention, const Span& Whole, BatchSource& Source) const;
  void unknown(const clang::Expr* E, std::string Reason, const char* Code = "AR052");

  /// Whether a model, or a parameter that is trained, has a part in \p E.
  bool touchesModel(const clang::Expr* E);
  bool handsOn(const clang::ValueDecl* D);
  Span handedOnAt(const clang::ValueDecl* D);
  bool isInScope(const clang::ValueDecl* D) const;
  DeclKey sizedBy(const clang::Expr* E, unsigned Depth = 0) const;
  void addOperands(const clang::Expr* E, std::set<const clang::ValueDecl*>& Seen,
                   std::vector<Span>& Into) const;

  const FunctionBody& Body;
  const std::vector<Write>& Writes;
  const clang::Stmt* Scope;
  std::set<const clang::ValueDecl*> Visited;
  std::set<const clang::Expr*> Done;
  std::map<const clang::ValueDecl*, bool> OfModel;
  std::vector<BatchSource> Out;
};

} // namespace accel_rewrite

#endif
