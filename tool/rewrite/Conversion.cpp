#include "Conversion.h"
#include "Options.h"
#include "cmake/LinkRuntime.h"
#include "edit/Format.h"
#include "guard/Guard.h"
#include "plan/Plan.h"
#include "project/Setup.h"
#include "report/Report.h"
#include "rules/Rules.h"

#include "llvm/Support/Path.h"

#include <algorithm>

namespace accel_rewrite {

namespace {

/// The loop's place, in words that need no folder to be understood.
std::string placeOf(const Change& C) {
  const Span& Loop = C.Training.At;
  return llvm::sys::path::filename(Loop.File).str() + ":" + std::to_string(Loop.Line);
}

const Edit* firstUnstaged(const EditList& List, const Setup& S) {
  auto It = std::find_if(List.edits().begin(), List.edits().end(),
                         [&](const Edit& E) { return S.Staged && !S.Staged->count(E.File); });
  return It == List.edits().end() ? nullptr : &*It;
}

Diagnostic notStaged(const Facts& F, const Change& C, const Edit& E) {
  return {"AR016", F.at(E.File, E.Begin),
          "the training loop at " + placeOf(C) +
              " needs a change here, in a file that is not staged as a whole",
          "stage the file too", C.Training.At};
}

Diagnostic overlapping(const Facts& F, const Change& C, const Merged::Conflict& At) {
  return {"AR013", F.at(At.File, At.Offset),
          "two edits overlap here, one of them for the training loop at " + placeOf(C),
          "convert one of the loops by hand", C.Training.At};
}

/// The edits as they are written: with the file's line endings, and in its style.
std::vector<Edit> finished(const SourceFile& File, std::vector<Edit> List) {
  List = withLineEndings(File.Text, std::move(List));
  auto Style = styleFor(File.Path, File.Text);
  return Style ? formatted(File, std::move(List), *Style) : List;
}

} // namespace

Merged convert(const Facts& F, const Options& O, const Setup& S, Outcome& Result) {
  Plan Made = makePlan(F, O.Chosen);
  Result.Loops = std::move(Made.TrainingLoops);
  Result.Diagnostics = std::move(Made.Diagnostics);
  std::vector<EditList> Lists;
  std::vector<const Change*> Owners;
  for (const Change& C : Made.Changes) {
    EditList List = editsOf(F, C, O.Chosen);
    if (std::optional<Diagnostic> D = obstacle(F, C, List, O.InPlace)) {
      Result.Diagnostics.push_back(std::move(*D));
    } else if (const Edit* E = firstUnstaged(List, S)) {
      Result.Diagnostics.push_back(notStaged(F, C, *E));
    } else {
      Lists.push_back(std::move(List));
      Owners.push_back(&C);
    }
  }
  Merged Edits = merge(Lists);
  for (const auto& [Index, Conflict] : Edits.Refused)
    Result.Diagnostics.push_back(overlapping(F, *Owners[Index], Conflict));
  for (size_t I = 0; I < Owners.size(); ++I)
    if (!Edits.Refused.count(I))
      Result.Diagnostics.insert(Result.Diagnostics.end(), Owners[I]->Remarks.begin(),
                                Owners[I]->Remarks.end());
  for (auto& [Path, List] : Edits.Files)
    List = finished(F.Files.at(Path), std::move(List));
  return Edits;
}

void linkTargets(Facts& All, const Setup& S, Merged& Edits, Outcome& Result) {
  std::set<std::string> Units;
  for (const auto& [Path, File] : All.Files)
    if (File.IncludesAccel || Edits.Files.count(Path))
      Units.insert(File.Units.begin(), File.Units.end());
  std::string Build = llvm::sys::path::parent_path(S.Commands->origin()).str();
  CMakeChange Change = linkRuntime(S.Root, Build, Units);
  for (auto& [Path, List] : Change.Edits) {
    const std::string& Text = All.Files[Path].Text = Change.Texts.at(Path);
    Edits.Files[Path] = withLineEndings(Text, std::move(List));
  }
  Result.Diagnostics.insert(Result.Diagnostics.end(), Change.Diagnostics.begin(),
                            Change.Diagnostics.end());
}

} // namespace accel_rewrite
