//===- Save.cpp - The main process saves ----------------------------------===//
#include "rules/Rules.h"

namespace accel_rewrite {

void saveRule(const Facts& F, const Change& C, EditList& Out) {
  for (const Output& O : F.Outputs)
    if (O.What == Output::Kind::Save && seesAccelerator(C, O.Function, O.Token))
      Out.replace(O.Token, "accelerator.save");
}

} // namespace accel_rewrite
