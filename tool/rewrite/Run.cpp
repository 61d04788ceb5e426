#include "Run.h"
#include "Options.h"
#include "discover/Discover.h"
#include "edit/Merge.h"
#include "edit/UnifiedDiff.h"
#include "edit/Write.h"
#include "parse/Parse.h"
#include "plan/Plan.h"
#include "project/CompileCommands.h"
#include "project/Flags.h"
#include "project/Inputs.h"
#include "project/Project.h"
#include "project/ResourceDir.h"
#include "report/Report.h"
#include "rules/Rules.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace accel_rewrite {

namespace {

std::string here() {
  llvm::SmallString<256> Folder, Real;
  static_cast<void>(llvm::sys::fs::current_path(Folder));
  return std::string(llvm::sys::fs::real_path(Folder, Real) ? Folder : Real);
}

std::string realFolder(const std::string& Folder) {
  llvm::SmallString<256> Real;
  return llvm::sys::fs::real_path(Folder, Real) ? std::string() : std::string(Real);
}

/// One run of the tool: the stages of the pipeline, and the exit code that they add up to.
class Session {
public:
  Session(const Options& O, llvm::raw_ostream& Out, llvm::raw_ostream& Err)
      : O(O), Out(Out), Err(Err), Here(here()) {}

  int run() {
    if (int Code = prepare())
      return Code;
    if (!Commands)
      return summary(); // No file could hold a training loop.
    Project P(Root);
    for (const std::string& File : In.Files)
      read(File, P);
    plan();
    return write();
  }

private:
  int fail(int Code, const std::string& Message) {
    Err << "accel-rewrite: error: " << Message << "\n";
    return Code;
  }

  int prepare() {
    In = resolveInputs(O.Names);
    if (!In.Error.empty())
      return fail(Usage, In.Error);
    if (In.Files.empty())
      return fail(Usage, "there are no C++ sources in what was named");
    bool BelowHere = shown(In.CommonFolder + "/", Here) != In.CommonFolder + "/";
    Root = !O.Root.empty() ? realFolder(O.Root) : BelowHere ? Here : In.CommonFolder;
    if (Root.empty())
      return fail(Usage, "can't read the folder " + O.Root);
    std::string Error;
    Commands = CompileCommands::find(O.BuildFolder, O.HasFlags, O.Flags, In.Files.front(), Error);
    if (!Commands &&
        (!O.BuildFolder.empty() || std::any_of(In.Files.begin(), In.Files.end(), mayHoldTraining)))
      return fail(Usage, Error);
    std::string Tried;
    ResourceDir = findResourceDir(O.ResourceDir, Tried);
    if (ResourceDir.empty())
      return fail(Usage,
                  "clang's own headers (include/stddef.h) are in none of" + Tried +
                      "\ninstall libclang-common-19-dev, or name the folder with --resource-dir");
    return 0;
  }

  /// A file that can't be read doesn't keep the others from being rewritten; the exit code tells.
  void read(const std::string& File, const Project& P) {
    std::vector<clang::tooling::CompileCommand> Of = Commands->of(File);
    if (Of.empty() && !mentionsBackward(File) && In.Files.size() > 1)
      return; // A file that nobody compiles, without a training step.
    if (Of.empty()) {
      fail(Usage, "no command for " + shown(File, Here) + " in " + Commands->origin() +
                      "; add the file to a target and configure again, or give flags behind --");
      WithoutCommand = true;
    }
    for (clang::tooling::CompileCommand& Command : Of) {
      Command.CommandLine = parseFlags(Command.CommandLine, ResourceDir, O.ExtraArgs);
      ParseResult Result = parse(
          Command, P, [&](clang::ASTContext& AST, clang::Sema&) { All.merge(discover(AST, P)); });
      if (!Result.Ok) {
        Err << Result.Errors;
        fail(ParseError, shown(File, Here) + " does not parse, so it is left as it is");
        Broken = true;
      }
    }
  }

  void plan() {
    Plan Made = makePlan(All);
    Diagnostics = std::move(Made.Diagnostics);
    Loops = Made.TrainingLoops;
    std::vector<EditList> Lists;
    for (auto It = Made.Changes.begin(); It != Made.Changes.end();) {
      EditList List = editsOf(All, *It);
      if (const Edit* E = List.firstSwitchedOff()) {
        Diagnostics.push_back(switchedOff(*It, *E));
        It = Made.Changes.erase(It);
      } else {
        Lists.push_back(std::move(List));
        ++It;
      }
    }
    Edits = merge(Lists);
    for (const auto& [Index, Conflict] : Edits.Refused)
      Diagnostics.push_back({"AR013", All.at(Conflict.File, Conflict.Offset),
                             "two edits overlap here, one of them for the training loop at " +
                                 place(Made.Changes[Index].Training.At),
                             "convert one of the loops by hand"});
    Converted = Lists.size() - Edits.Refused.size();
  }

  Diagnostic switchedOff(const Change& C, const Edit& E) const {
    return {"AR015", All.at(E.File, E.Begin),
            "the training loop at " + place(C.Training.At) +
                " needs a change here, in a region that is switched off",
            "move the `accel-rewrite: off` comment, or convert the loop by hand"};
  }

  std::string place(const Span& Where) const {
    return shown(Where.File, Here) + ":" + std::to_string(Where.Line);
  }

  int summary() {
    if (O.Quiet)
      Diagnostics.erase(std::remove_if(Diagnostics.begin(), Diagnostics.end(),
                                       [](const Diagnostic& D) { return !D.isRefusal(); }),
                        Diagnostics.end());
    Err << render(Diagnostics, Here);
    if (!O.Quiet)
      Err << "accel-rewrite: " << Loops << (Loops == 1 ? " training loop, " : " training loops, ")
          << Converted << " converted\n";
    bool Refused = std::any_of(Diagnostics.begin(), Diagnostics.end(),
                               [](const Diagnostic& D) { return D.isRefusal(); });
    if (Broken)
      return ParseError;
    if (WithoutCommand)
      return Usage;
    return (O.Check && !Edits.Files.empty()) || (O.Strict && Refused) ? FoundSomething : Done;
  }

  int write() {
    std::vector<NewContent> Files;
    for (const auto& [Path, List] : Edits.Files) {
      const std::string& Text = All.Files.at(Path).Text;
      if (O.InPlace)
        Files.push_back({Path, applyEdits(Text, List), true, Text});
      else if (O.Check)
        Err << shown(Path, Here) << " would change\n";
      else if (O.OutputDir.empty())
        Out << unifiedDiff(shown(Path, Root), Text, List);
    }
    if (!O.OutputDir.empty())
      if (int Code = mirror(Files))
        return Code;
    Out.flush();
    if (std::string Error = writeAll(Files); !Error.empty())
      return fail(WriteError, Error);
    return summary();
  }

  /// The files for --output-dir: those named, changed or not, and the project's headers that
  /// changed.
  int mirror(std::vector<NewContent>& Files) {
    std::set<std::string> Paths(In.Files.begin(), In.Files.end());
    for (const auto& [Path, List] : Edits.Files)
      Paths.insert(Path);
    for (const std::string& Path : Paths) {
      std::string Relative = shown(Path, Root);
      if (Relative == Path)
        return fail(Usage, shown(Path, Here) + " is not below the root " + Root +
                               "; name a --root above it");
      auto Text = llvm::MemoryBuffer::getFile(Path);
      if (!Text)
        return fail(Usage, "can't read " + Path + ": " + Text.getError().message());
      auto List = Edits.Files.find(Path);
      std::string Old = (*Text)->getBuffer().str();
      Files.push_back({O.OutputDir + "/" + Relative,
                       List == Edits.Files.end() ? Old : applyEdits(Old, List->second), false, ""});
    }
    return 0;
  }

  const Options& O;
  llvm::raw_ostream& Out;
  llvm::raw_ostream& Err;
  std::string Here;
  Inputs In;
  std::string Root;
  std::string ResourceDir;
  std::unique_ptr<CompileCommands> Commands;
  Facts All;
  Merged Edits;
  std::vector<Diagnostic> Diagnostics;
  size_t Loops = 0;
  size_t Converted = 0;
  bool Broken = false;
  bool WithoutCommand = false;
};

} // namespace

int run(const Options& O, llvm::raw_ostream& Out, llvm::raw_ostream& Err) {
  return Session(O, Out, Err).run();
}

} // namespace accel_rewrite
