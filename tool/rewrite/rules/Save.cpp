//===- Save.cpp - The main process saves ----------------------------------===//
#include "rules/Rules.h"

namespace accel_rewrite {

void saveRule(const Facts& F, const Change& C, EditList& Out) {
  for (const Output& O : F.Outputs) {
    if (!seesAccelerator(C, O.Function, O.Token))
      continue;
    if (O.What == Output::Kind::Save)
      Out.replace(O.Token, "accelerator.save");
    if (O.What != Output::Kind::Write || !O.Statement.valid())
      continue;
    Out.insert(O.Statement.File, O.Statement.Begin,
               "if (accelerator.is_main_process()) {\n" + O.Indent + "  ");
    Out.insert(O.Statement.File, O.Statement.End, "\n" + O.Indent + "}");
  }
}

} // namespace accel_rewrite
