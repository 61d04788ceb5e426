//===- Threads.cpp - Code that other threads run --------------------------===//
#include "discover/FunctionBody.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtOpenMP.h"

using namespace clang;

namespace accel_rewrite {

static bool isThread(QualType T) {
  const CXXRecordDecl* Record = T.getNonReferenceType()->getAsCXXRecordDecl();
  return Record && Record->isInStdNamespace() &&
         (Record->getName() == "thread" || Record->getName() == "jthread");
}

/// A container of threads: what is put into it starts.
static bool holdsThreads(QualType T) {
  const auto* Record = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      T.getNonReferenceType()->getAsCXXRecordDecl());
  if (!Record || Record->getTemplateArgs().size() == 0)
    return false;
  const TemplateArgument& Element = Record->getTemplateArgs()[0];
  return Element.getKind() == TemplateArgument::Type && isThread(Element.getAsType());
}

/// How thread pools call handing a job over.
static bool handsOver(llvm::StringRef Method) {
  static const llvm::StringRef Names[] = {"enqueue",  "submit",      "submit_task", "push_task",
                                          "schedule", "detach_task", "add_task",    "post"};
  return llvm::is_contained(Names, Method);
}

static std::string starter(const CallExpr* E) {
  const FunctionDecl* Callee = E->getDirectCallee();
  if (!Callee || !Callee->getDeclName().isIdentifier())
    return {};
  llvm::StringRef Name = Callee->getName();
  if (Callee->isInStdNamespace() && Name == "async")
    return "std::async";
  if (Name == "pthread_create")
    return "pthread_create";
  if (Name == "parallel_for" || Name == "parallel_invoke" || Name == "parallel_reduce")
    return Name.str();
  const auto* Member = dyn_cast<CXXMemberCallExpr>(E);
  if (!Member)
    return {};
  if ((Name == "emplace_back" || Name == "push_back") &&
      holdsThreads(Member->getImplicitObjectArgument()->getType()))
    return "std::thread";
  return handsOver(Name) ? Name.str() : std::string();
}

static void collectFunctions(const Stmt* S, std::vector<FunctionKey>& Into) {
  if (const auto* Ref = dyn_cast<DeclRefExpr>(S))
    if (const auto* F = dyn_cast<FunctionDecl>(Ref->getDecl()))
      Into.push_back(Source::key(F));
  for (const Stmt* Child : S->children())
    if (Child)
      collectFunctions(Child, Into);
}

void discoverThreads(const FunctionBody& Body) {
  auto Add = [&](const Stmt* S, std::string Starter) {
    ThreadStart Fact{Body.Key, Body.Src.span(S), {}, std::move(Starter)};
    if (!Fact.Where.valid())
      Fact.Where = Body.Src.pointAt(S->getBeginLoc());
    collectFunctions(S, Fact.Runs);
    Body.Out.ThreadStarts.push_back(std::move(Fact));
  };
  Body.forEach<CallExpr>([&](const CallExpr* E) {
    if (std::string Starter = starter(E); !Starter.empty())
      Add(E, std::move(Starter));
  });
  Body.forEach<CXXConstructExpr>([&](const CXXConstructExpr* E) {
    if (isThread(E->getType()) && E->getNumArgs() > 0 &&
        !E->getConstructor()->isCopyOrMoveConstructor())
      Add(E, "std::thread");
  });
  Body.forEach<OMPExecutableDirective>([&](const OMPExecutableDirective* S) { Add(S, "OpenMP"); });
}

} // namespace accel_rewrite
