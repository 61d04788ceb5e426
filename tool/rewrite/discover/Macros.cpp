//===- Macros.cpp - Sites that are written in the body of a macro ---------===//
//
// The other kinds of discovery leave out what has no bytes of its own in the
// file. None of that may be passed over in silence, so it is collected here.
//
//===----------------------------------------------------------------------===//
#include "discover/FunctionBody.h"
#include "discover/Types.h"
#include "discover/Uniform.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace accel_rewrite {

namespace {

using Kind = MacroSite::Kind;

class MacroSites {
public:
  explicit MacroSites(const FunctionBody& Body) : Body(Body) {}

  void find() {
    loops();
    placements();
    reads();
    outputs();
  }

private:
  /// Adds \p S, unless all of \p Parts are written in the file.
  void addUnlessWritten(Kind What, const Stmt* S, std::initializer_list<const Stmt*> Parts) {
    for (const Stmt* Part : Parts)
      if (Part->getBeginLoc().isMacroID() || Part->getEndLoc().isMacroID())
        if (!Body.Src.span(Part).valid()) {
          Body.Out.MacroSites.push_back({Body.Key, Body.Src.pointAt(S->getBeginLoc()), What});
          return;
        }
  }

  void loops() {
    Body.forEach<CXXForRangeStmt>([&](const CXXForRangeStmt* For) {
      if (For->getRangeInit() && isDataLoader(For->getRangeInit()->getType()) &&
          !Body.Src.span(For).valid())
        Body.Out.MacroSites.push_back({Body.Key, Body.Src.pointAt(For->getBeginLoc()), Kind::Loop});
    });
  }

  /// `to` with a device, and `cuda()`.
  void placements() {
    Body.forEach<CXXMemberCallExpr>([&](const CXXMemberCallExpr* E) {
      const CXXMethodDecl* Method = E->getMethodDecl();
      bool Moves = isMethodOf(Method, "torch::nn::Module", "to") ||
                   isMethodOf(Method, "at::Tensor", "to") ||
                   isMethodOf(Method, "at::Tensor", "cuda");
      if (!Moves)
        return;
      bool NamesDevice = Method->getName() == "cuda";
      for (const Expr* Argument : E->arguments())
        NamesDevice |= (isDevice(written(Argument)->getType()) ||
                        isDeviceType(written(Argument)->getType())) &&
                       !isHost(written(Argument));
      if (NamesDevice && isInBody(E->getExprLoc()))
        Body.Out.MacroSites.push_back(
            {Body.Key, Body.Src.pointAt(E->getBeginLoc()), Kind::Placement});
    });
  }

  /// Whether a token comes from a macro's body, not from an argument or the file itself.
  bool isInBody(SourceLocation Loc) const {
    const SourceManager& SM = Body.Src.ast().getSourceManager();
    for (; Loc.isMacroID(); Loc = SM.getImmediateSpellingLoc(Loc))
      if (!SM.isMacroArgExpansion(Loc))
        return true;
    return false;
  }

  /// `torch::kCPU`: no placement for training.
  static bool isHost(const Expr* E) {
    const ValueDecl* D = plainVariable(E);
    return D && D->getDeclName().isIdentifier() && D->getName() == "kCPU";
  }

  /// An assertion reads its argument, which is written in the file.
  void reads() {
    Uniform Same(Body);
    Body.forEach<CXXMemberCallExpr>([&](const CXXMemberCallExpr* E) {
      if (const Expr* Object = itemObject(E); Object && Same.isLoss(plainVariable(Object)))
        addUnlessWritten(Kind::Read, E, {Object});
    });
  }

  void outputs() {
    Body.forEach<DeclRefExpr>([&](const DeclRefExpr* Ref) {
      const ValueDecl* D = Ref->getDecl();
      const auto* Callee = dyn_cast<FunctionDecl>(D);
      bool Prints = (isa<VarDecl>(D) && D->isInStdNamespace() && D->getName() == "cout") ||
                    (Callee && Callee->isExternC() && Callee->getName() == "printf") ||
                    isNamed(Callee, "torch::save");
      if (Prints)
        addUnlessWritten(Kind::Output, Ref, {Ref});
    });
  }

  const FunctionBody& Body;
};

} // namespace

void discoverMacroSites(const FunctionBody& Body) {
  MacroSites(Body).find();
}

} // namespace accel_rewrite
