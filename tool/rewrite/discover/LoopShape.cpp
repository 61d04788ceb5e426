#include "discover/LoopShape.h"
#include "discover/Source.h"
#include "discover/Types.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace accel_rewrite {

const Stmt* loopBody(const Stmt* S) {
  if (const auto* For = dyn_cast_or_null<ForStmt>(S))
    return For->getBody();
  if (const auto* While = dyn_cast_or_null<WhileStmt>(S))
    return While->getBody();
  if (const auto* Do = dyn_cast_or_null<DoStmt>(S))
    return Do->getBody();
  if (const auto* Range = dyn_cast_or_null<CXXForRangeStmt>(S))
    return Range->getBody();
  return nullptr;
}

const VarDecl* loaderIterator(const Stmt* S) {
  const auto* For = dyn_cast_or_null<ForStmt>(S);
  const auto* Init = For ? dyn_cast_or_null<DeclStmt>(For->getInit()) : nullptr;
  const auto* Var = Init ? dyn_cast<VarDecl>(*Init->decl_begin()) : nullptr;
  const auto* Begin =
      Var && Var->getInit() ? dyn_cast<CXXMemberCallExpr>(written(Var->getInit())) : nullptr;
  return Begin && isMethodOf(Begin->getMethodDecl(), "torch::data::DataLoaderBase", "begin")
             ? Var
             : nullptr;
}

} // namespace accel_rewrite
