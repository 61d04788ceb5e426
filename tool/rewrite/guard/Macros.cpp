#include "guard/Guard.h"

namespace accel_rewrite {

static const char* describe(MacroSite::Kind What) {
  switch (What) {
  case MacroSite::Kind::Loop:
    return "this loop over a data loader";
  case MacroSite::Kind::Placement:
    return "this placement on a device";
  case MacroSite::Kind::Read:
    return "this reading of the loss";
  case MacroSite::Kind::Output:
    return "this output";
  }
  return "this";
}

/// Edits that would be left out in silence. Output is no such case: a remark names it.
std::optional<Diagnostic> macroObstacle(const Facts& F, const Change& C, const EditList& Edits) {
  for (const MacroSite& M : F.MacroSites)
    if (M.What != MacroSite::Kind::Output && C.Involved.count(M.Function))
      return Diagnostic{"AR008", M.Where,
                        std::string(describe(M.What)) +
                            " is written in a macro's body, which can't be edited safely",
                        "write it out"};
  if (Edits.isLost())
    return Diagnostic{
        "AR008", C.Training.At,
        "a statement that this loop's conversion changes is written in a macro's body",
        "write it out"};
  return std::nullopt;
}

} // namespace accel_rewrite
