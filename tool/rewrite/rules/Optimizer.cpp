//===- Optimizer.cpp - The optimizer is prepared where it is made ---------===//
#include "rules/Rules.h"

namespace accel_rewrite {

void optimizerRule(const Facts& F, const Change& C, EditList& Out) {
  using Form = OptimizerVariable::Form;
  for (const OptimizerVariable* O : C.Optimizers) {
    const std::string& File = O->Initializer.File;
    if (O->Made == Form::Direct) {
      // T name(args);  ->  auto name = accelerator.prepare(T(args));
      Span Head = O->Type;
      Head.End = O->Initializer.Begin;
      Out.replace(Head, "auto " + O->Name + " = accelerator.prepare(" + F.text(O->Type));
    } else {
      if (O->Made == Form::Copy && F.text(O->Type) != "auto")
        Out.replace(O->Type, "auto");
      Out.insert(File, O->Initializer.Begin, "accelerator.prepare(");
    }
    Out.insert(File, O->Initializer.End, ")");
  }
}

} // namespace accel_rewrite
