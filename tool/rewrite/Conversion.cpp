#include "Conversion.h"
#include "Options.h"
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

Diagnostic switchedOff(const Facts& F, const Change& C, const Edit& E) {
  return {"AR015", F.at(E.File, E.Begin),
          "the training loop at " + placeOf(C) +
              " needs a change here, in a region that is switched off",
          "move the `accel-rewrite: off` comment, or convert the loop by hand", C.Training.At};
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

} // namespace

Merged convert(const Facts& F, const Options& O, const Setup& S, Outcome& Result) {
  Plan Made = makePlan(F, O.Chosen);
  Result.Loops = std::move(Made.TrainingLoops);
  Result.Diagnostics = std::move(Made.Diagnostics);
  std::vector<EditList> Lists;
  std::vector<const Change*> Owners;
  for (const Change& C : Made.Changes) {
    EditList List = editsOf(F, C, O.Chosen);
    if (const Edit* E = List.firstSwitchedOff()) {
      Result.Diagnostics.push_back(switchedOff(F, C, *E));
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
  return Edits;
}

} // namespace accel_rewrite
