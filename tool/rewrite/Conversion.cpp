#include "Conversion.h"
#include "Options.h"
#include "cmake/LinkRuntime.h"
#include "edit/Format.h"
#include "guard/Guard.h"
#include "plan/Plan.h"
#include "plan/SharedFate.h"
#include "project/Setup.h"
#include "report/Report.h"
#include "rules/Rules.h"

#include "llvm/Support/Path.h"

#include <algorithm>
#include <list>

namespace accel_rewrite {

namespace {

const Edit* firstUnstaged(const EditList& List, const Setup& S) {
  auto It = std::find_if(List.edits().begin(), List.edits().end(),
                         [&](const Edit& E) { return S.Staged && !S.Staged->count(E.File); });
  return It == List.edits().end() ? nullptr : &*It;
}

Diagnostic notStaged(const Facts& F, const Change& C, const Edit& E) {
  return {"AR016", F.at(E.File, E.Begin),
          loopOf(C.Training) + " needs a change here, in a file that is not staged as a whole",
          "stage the file too", C.Training.At};
}

Diagnostic overlapping(const Facts& F, const Change& C, const Merged::Conflict& At) {
  return {"AR013", F.at(At.File, At.Offset),
          "two edits overlap here, one of them for " + loopOf(C.Training),
          "convert one of the loops by hand", C.Training.At};
}

/// The edits as they are written: with the file's line endings, and in its style.
std::vector<Edit> finished(const SourceFile& File, std::vector<Edit> List) {
  List = withLineEndings(File.Text, std::move(List));
  auto Style = styleFor(File.Path, File.Text);
  return Style ? formatted(File, std::move(List), *Style) : List;
}

Diagnostic tied(const Change& C, const Region& Refused) {
  return {"AR057", C.Training.At,
          "it shares an optimizer, a model or a loader with " + loopOf(Refused) +
              ", which isn't converted",
          "convert that loop by hand first, or separate them", C.Training.At};
}

/// A change with the edits that it takes.
struct Candidate {
  const Change* Of = nullptr;
  EditList Edits;
};

/// The candidates that nothing forbids by themselves; the others' regions go to \p Refused.
std::list<Candidate> candidates(const Facts& F, const Options& O, const Setup& S, const Plan& Made,
                                std::vector<Region>& Refused,
                                std::vector<Diagnostic>& Diagnostics) {
  std::list<Candidate> Kept;
  for (const Change& C : Made.Changes) {
    EditList List = editsOf(F, C, O.Chosen);
    std::optional<Diagnostic> Why = obstacle(F, C, List, O.InPlace);
    if (const Edit* E = firstUnstaged(List, S); E && !Why)
      Why = notStaged(F, C, *E);
    if (!Why) {
      Kept.push_back({&C, std::move(List)});
      continue;
    }
    Diagnostics.push_back(std::move(*Why));
    Refused.push_back(C.Training);
  }
  return Kept;
}

/// Takes back what shares its training with a refused region, until nothing changes.
void withdrawTied(const SharedFate& Fate, std::list<Candidate>& Kept, std::vector<Region>& Refused,
                  std::vector<Diagnostic>& Diagnostics) {
  for (size_t I = 0; I < Refused.size(); ++I)
    for (auto It = Kept.begin(); It != Kept.end();) {
      if (!Fate.areTied(It->Of->Training, Refused[I])) {
        ++It;
        continue;
      }
      Diagnostics.push_back(tied(*It->Of, Refused[I]));
      Refused.push_back(It->Of->Training);
      It = Kept.erase(It);
    }
}

/// Merges what is left; an overlap refuses its loops, and with them those that they are tied to.
Merged mergeKept(const Facts& F, const SharedFate& Fate, std::list<Candidate>& Kept,
                 std::vector<Region>& Refused, std::vector<Diagnostic>& Diagnostics) {
  for (;;) {
    std::vector<EditList> Lists;
    for (const Candidate& One : Kept)
      Lists.push_back(One.Edits);
    Merged Edits = merge(Lists);
    if (Edits.Refused.empty())
      return Edits;
    for (auto It = Edits.Refused.rbegin(); It != Edits.Refused.rend(); ++It) {
      auto Overlapping = std::next(Kept.begin(), static_cast<std::ptrdiff_t>(It->first));
      const Change& C = *Overlapping->Of;
      Diagnostics.push_back(overlapping(F, C, It->second));
      Refused.push_back(C.Training);
      Kept.erase(Overlapping);
    }
    withdrawTied(Fate, Kept, Refused, Diagnostics);
  }
}

} // namespace

Merged convert(const Facts& F, const Options& O, const Setup& S, Outcome& Result) {
  Plan Made = makePlan(F, O.Chosen);
  Result.Loops = std::move(Made.TrainingLoops);
  Result.Diagnostics = std::move(Made.Diagnostics);
  std::vector<Region> Refused = std::move(Made.Refused);
  Trace Paths(F);
  SharedFate Fate(F, Paths);
  std::list<Candidate> Kept = candidates(F, O, S, Made, Refused, Result.Diagnostics);
  withdrawTied(Fate, Kept, Refused, Result.Diagnostics);
  Merged Edits = mergeKept(F, Fate, Kept, Refused, Result.Diagnostics);
  for (const Candidate& One : Kept)
    Result.Diagnostics.insert(Result.Diagnostics.end(), One.Of->Remarks.begin(),
                              One.Of->Remarks.end());
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
