#include "parse/Parse.h"
#include "project/Project.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace accel_rewrite {

namespace {

using Visitor = llvm::function_ref<void(const ParsedUnit&)>;

/// Takes down what the preprocessor skips.
class SkippedRanges : public PPCallbacks {
public:
  explicit SkippedRanges(std::vector<SourceRange>& Out) : Out(Out) {}

  void SourceRangeSkipped(SourceRange Range, SourceLocation) override { Out.push_back(Range); }

private:
  std::vector<SourceRange>& Out;
};

class Consumer : public SemaConsumer {
public:
  Consumer(const Project& P, Visitor Visit, const std::vector<SourceRange>& Skipped)
      : P(P), Visit(Visit), Skipped(Skipped) {}

  void InitializeSema(Sema& S) override { TheSema = &S; }
  void ForgetSema() override {}

  void HandleTranslationUnit(ASTContext& Context) override {
    instantiateProjectTemplates(Context.getSourceManager());
    if (!Context.getDiagnostics().hasErrorOccurred())
      Visit({Context, *TheSema, Skipped});
  }

private:
  void instantiateProjectTemplates(const SourceManager& SM) {
    // Instantiating one function may add others: go on until no project template is left. What
    // isn't ours stays pending.
    std::deque<Sema::PendingImplicitInstantiation> Foreign;
    auto& Pending = TheSema->PendingInstantiations;
    while (!Pending.empty()) {
      Sema::PendingImplicitInstantiation Next = Pending.front();
      Pending.pop_front();
      auto* Function = dyn_cast<FunctionDecl>(Next.first);
      const FunctionDecl* Pattern =
          Function ? Function->getTemplateInstantiationPattern() : nullptr;
      if (Pattern && !Function->isDefined() && P.owns(SM, Pattern->getLocation()))
        TheSema->InstantiateFunctionDefinition(Next.second, Function, /*Recursive=*/false,
                                               /*DefinitionRequired=*/false, /*AtEndOfTU=*/true);
      else
        Foreign.push_back(Next);
    }
    Pending.swap(Foreign);
  }

  const Project& P;
  Visitor Visit;
  const std::vector<SourceRange>& Skipped;
  Sema* TheSema = nullptr;
};

class Action : public ASTFrontendAction {
public:
  Action(const Project& P, Visitor Visit, TranslationUnitKind Kind)
      : P(P), Visit(Visit), Kind(Kind) {}

  TranslationUnitKind getTranslationUnitKind() override { return Kind; }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& Compiler, StringRef) override {
    Compiler.getPreprocessor().addPPCallbacks(std::make_unique<SkippedRanges>(Skipped));
    return std::make_unique<Consumer>(P, Visit, Skipped);
  }

private:
  const Project& P;
  Visitor Visit;
  TranslationUnitKind Kind;
  std::vector<SourceRange> Skipped;
};

bool parseOnce(const tooling::CompileCommand& Command, const Project& P, Visitor Visit,
               TranslationUnitKind Kind, std::string& Errors) {
  auto FS = llvm::vfs::createPhysicalFileSystem();
  if (std::error_code EC = FS->setCurrentWorkingDirectory(Command.Directory)) {
    Errors = "the folder of its compile command, " + Command.Directory +
             ", can't be entered: " + EC.message() + "\n";
    return false;
  }
  auto Files = llvm::makeIntrusiveRefCnt<FileManager>(FileSystemOptions(), std::move(FS));

  llvm::raw_string_ostream Stream(Errors);
  auto Options = llvm::makeIntrusiveRefCnt<DiagnosticOptions>();
  TextDiagnosticPrinter Printer(Stream, Options.get());
  tooling::ToolInvocation Invocation(Command.CommandLine, std::make_unique<Action>(P, Visit, Kind),
                                     Files.get());
  Invocation.setDiagnosticConsumer(&Printer);
  return Invocation.run();
}

} // namespace

ParseResult parse(const tooling::CompileCommand& Command, const Project& P, Visitor Visit) {
  ParseResult Result;
  Result.Ok = parseOnce(Command, P, Visit, TU_Prefix, Result.Errors);
  if (!Result.Ok) {
    Result.Errors.clear();
    Result.Ok = parseOnce(Command, P, Visit, TU_Complete, Result.Errors);
  }
  return Result;
}

} // namespace accel_rewrite
