#include "guard/Guard.h"

#include "llvm/Support/Path.h"

namespace accel_rewrite {

std::string loopOf(const Region& R) {
  return "the training loop at " + llvm::sys::path::filename(R.At.File).str() + ":" +
         std::to_string(R.At.Line);
}

std::optional<Diagnostic> switchedOff(const Facts& F, const Change& C, const EditList& Edits) {
  const Edit* E = Edits.firstSwitchedOff();
  if (!E)
    return std::nullopt;
  return Diagnostic{"AR015", F.at(E->File, E->Begin),
                    loopOf(C.Training) + " needs a change here, in a region that is switched off",
                    "move the `accel-rewrite: off` comment, or convert the loop by hand"};
}

std::optional<Diagnostic> obstacle(const Facts& F, const Change& C, const EditList& Edits,
                                   bool InPlace) {
  std::optional<Diagnostic> D = switchedOff(F, C, Edits);
  if (!D)
    D = macroObstacle(F, C, Edits);
  if (!D)
    D = configurationObstacle(F, C, Edits);
  if (!D)
    D = fileObstacle(F, C, Edits, InPlace);
  if (D)
    D->Loop = C.Training.At;
  return D;
}

} // namespace accel_rewrite
