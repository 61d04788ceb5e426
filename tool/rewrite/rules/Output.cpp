//===- Output.cpp - The main process prints -------------------------------===//
#include "rules/Rules.h"

namespace accel_rewrite {

void outputRule(const Facts& F, const Change& C, EditList& Out) {
  for (const Output& O : F.Outputs) {
    if (!seesAccelerator(C, O.Function, O.Token))
      continue;
    if (O.What == Output::Kind::Cout)
      Out.replace(O.Token, "accelerator.cout()");
    else if (O.What == Output::Kind::Printf)
      Out.replace(O.Token, "accelerator.printf");
    else if (O.What == Output::Kind::PrintfTo)
      Out.replace(O.Token, "accelerator.printf(");
    else if (O.What == Output::Kind::Puts)
      Out.replace(O.Token, "accelerator.print");
  }
}

} // namespace accel_rewrite
