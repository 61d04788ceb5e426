#include "Run.h"
#include "Conversion.h"
#include "Options.h"
#include "Results.h"
#include "discover/Units.h"
#include "project/Flags.h"
#include "project/Project.h"
#include "project/Setup.h"
#include "report/Report.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <chrono>

namespace accel_rewrite {

namespace {

/// One run of the tool: the stages of the pipeline, and the exit code that they add up to.
class Session {
public:
  Session(const Options& O, llvm::raw_ostream& Out, llvm::raw_ostream& Err)
      : O(O), Out(Out), Err(Err), Given(O) {}

  int run() {
    if (!Given.Error.empty())
      return fail(Usage, Given.Error);
    Result.Root = Given.Root;
    for (const std::string& File : Given.In.Files)
      Result.Files[File].Named = true;
    // Else no file could hold a training loop.
    if (Given.Commands)
      timed("read", [&] { read(); });
    timed("plan", [&] { Edits = convert(All, O, Given, Result); });
    if (O.CMake && Given.Commands)
      linkTargets(All, Given, Edits, Result);
    for (const auto& [Path, List] : Edits.Files)
      Result.Files[Path].Changed = true;
    Failure Failed;
    timed("write", [&] { Failed = deliver(O, Given, All, Edits, Out, Err); });
    if (Failed.Code)
      return fail(Failed.Code, Failed.Message);
    summary();
    if (std::string Error = writeReport(O, Result); !Error.empty())
      return fail(WriteError, Error);
    return exitCode();
  }

private:
  int fail(int Code, const std::string& Message) {
    Err << "accel-rewrite: error: " << Message << "\n";
    return Code;
  }

  template <typename Stage> void timed(const char* Name, Stage Run) {
    auto Begin = std::chrono::steady_clock::now();
    Run();
    std::chrono::duration<double> Took = std::chrono::steady_clock::now() - Begin;
    Result.Stages.emplace_back(Name, Took.count());
  }

  std::string named(const std::string& File) const { return shown(File, Given.Here); }

  /// A file that can't be read doesn't keep the others from being rewritten; the exit code tells.
  void notRead(const std::string& File, Outcome::File::State Why, const std::string& Message) {
    fail(Done, Message);
    Result.Errors.push_back(Message);
    Result.Files[File].Read = Why;
  }

  void read() {
    bool BuiltIn = !Given.Commands->remedy().empty();
    if (BuiltIn && !O.Quiet)
      Err << "accel-rewrite: note: " << Given.Commands->origin() << "\n";
    std::vector<clang::tooling::CompileCommand> Commands = commands();
    std::vector<Unit> Units = readUnits(Commands, Project(Given.Root), O.Workers);
    Result.Units = Units.size();
    Facts OfFile;
    for (size_t I = 0; I < Units.size(); ++I) {
      if (I > 0 && Commands[I].Filename == Commands[I - 1].Filename) {
        OfFile.mergeConfiguration(std::move(Units[I].Found));
      } else {
        All.merge(std::move(OfFile));
        OfFile = std::move(Units[I].Found);
      }
      if (Units[I].Parsed)
        continue;
      Err << Units[I].Errors;
      notRead(Commands[I].Filename, Outcome::File::State::Broken,
              named(Commands[I].Filename) + " does not parse, so it is left as it is");
    }
    All.merge(std::move(OfFile));
    All.link();
    if (BuiltIn && Result.any(Outcome::File::State::Broken))
      Err << "accel-rewrite: note: it was read without the project's own compile commands; to make "
             "them:"
          << Given.Commands->remedy() << "\n";
  }

  /// The commands of all files, fit to parse.
  std::vector<clang::tooling::CompileCommand> commands() {
    std::vector<clang::tooling::CompileCommand> Commands;
    for (const std::string& File : Given.In.Files) {
      std::vector<clang::tooling::CompileCommand> Of = Given.Commands->of(File);
      // A file that nobody compiles, without a training step, is nobody's loss.
      if (Of.empty() && (mentionsBackward(File) || Given.In.Files.size() == 1))
        notRead(File, Outcome::File::State::NoCommand,
                "no command for " + named(File) + " in " + Given.Commands->origin() +
                    "; add the file to a target and configure again, or give flags behind --");
      for (clang::tooling::CompileCommand& Command : Of) {
        Result.Files[File].Read = Outcome::File::State::Parsed;
        Command.Filename = File;
        Command.CommandLine =
            parseFlags(Command.CommandLine, Given.ResourceDir, O.ExtraArgs, O.RemovedArgs);
        Commands.push_back(std::move(Command));
      }
    }
    return Commands;
  }

  void summary() {
    std::vector<Diagnostic> Shown = Result.Diagnostics;
    if (O.Quiet)
      Shown.erase(std::remove_if(Shown.begin(), Shown.end(),
                                 [](const Diagnostic& D) { return !D.isRefusal(); }),
                  Shown.end());
    Err << render(Shown, Given.Here);
    size_t Loops = Result.Loops.size();
    if (!O.Quiet)
      Err << "accel-rewrite: " << Loops << (Loops == 1 ? " training loop, " : " training loops, ")
          << Result.convertedLoops() << " converted\n";
    if (!O.Stats)
      return;
    Err << "accel-rewrite: " << Result.Units
        << (Result.Units == 1 ? " unit parsed" : " units parsed");
    for (const auto& [Stage, Seconds] : Result.Stages)
      Err << ", " << Stage << llvm::format(" %.2f s", Seconds);
    Err << "\n";
  }

  int exitCode() const {
    if (Result.any(Outcome::File::State::Broken))
      return ParseError;
    if (Result.any(Outcome::File::State::NoCommand))
      return Usage;
    return (O.Check && Result.hasChanges()) || (O.Strict && Result.hasRefusals()) ? FoundSomething
                                                                                  : Done;
  }

  const Options& O;
  llvm::raw_ostream& Out;
  llvm::raw_ostream& Err;
  Setup Given;
  Facts All;
  Merged Edits;
  Outcome Result;
};

} // namespace

int run(const Options& O, llvm::raw_ostream& Out, llvm::raw_ostream& Err) {
  return Session(O, Out, Err).run();
}

} // namespace accel_rewrite
