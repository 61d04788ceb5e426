//===- Optimizer.cpp - The optimizer is prepared where it is made ---------===//
#include "rules/Rules.h"

namespace accel_rewrite {

namespace {

using Form = OptimizerVariable::Form;

void wrap(const Span& Where, const std::string& Before, const std::string& After, EditList& Out) {
  Out.insert(Where.File, Where.Begin, Before);
  Out.insert(Where.File, Where.End, After);
}

void prepareMade(const Facts& F, const OptimizerVariable& O, EditList& Out) {
  std::string Prepare =
      std::string(O.Inline ? "accel::Accelerator()" : "accelerator") + ".prepare(";
  std::string Type = F.text(O.Type);
  switch (O.Made) {
  case Form::Direct: {
    // T name(args);  ->  auto name = accelerator.prepare(T(args));
    Span Head = O.Type;
    Head.End = O.Initializer.Begin;
    Out.replace(Head, "auto " + O.Name + " = " + Prepare + Type);
    Out.insert(O.Initializer.File, O.Initializer.End, ")");
    return;
  }
  case Form::Copy:
    if (Type != "auto")
      Out.replace(O.Type, "auto");
    wrap(O.Initializer, Prepare, ")", Out);
    return;
  case Form::New:
    wrap(O.Initializer, Prepare + "std::unique_ptr<" + Type + ">(",
         O.Released ? ")).release()" : "))", Out);
    return;
  case Form::Member: {
    // name(args)  ->  name(accel::Accelerator().prepare(T(args)))
    std::string Brackets = F.text(O.Initializer);
    Span Inner = O.Initializer;
    ++Inner.Begin;
    --Inner.End;
    wrap(Inner, Prepare + Type + Brackets.front(), Brackets.back() + std::string(")"), Out);
    return;
  }
  case Form::Emplace:
    wrap(O.Initializer, Prepare + Type + "(", "))", Out);
    return;
  case Form::Value:
  case Form::Unsupported:
    wrap(O.Initializer, Prepare, ")", Out);
    return;
  }
}

} // namespace

void optimizerRule(const Facts& F, const Change& C, EditList& Out) {
  for (const OptimizerVariable* O : C.Optimizers)
    prepareMade(F, *O, Out);
  for (const OptimizerType* T : C.OptimizerTypes)
    Out.replace(T->Where, T->Class);
  for (const OptimizerHolder* H : C.OptimizerHolders)
    for (const Span& Type : H->Types)
      Out.replace(Type, "accel::PreparedOptimizer<" + F.text(Type) + ">");
}

} // namespace accel_rewrite
