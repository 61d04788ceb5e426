//===- Accelerators.cpp - How functions get at the accelerator ------------===//
#include "plan/ChangeBuilder.h"

#include <algorithm>

namespace accel_rewrite {

static void lower(unsigned& Least, const Span& Where, const Function& Owner) {
  if (Where.valid() && Owner.Body.contains(Where))
    Least = std::min(Least, Where.Begin);
}

/// The first place in \p Owner that will mention the accelerator, messages aside.
unsigned ChangeBuilder::firstUse(const Function& Owner) const {
  unsigned Least = Owner.Body.End;
  for (const OptimizerVariable* O : C.Optimizers)
    lower(Least, O->Statement, Owner);
  for (const auto* Loaders : {&C.TrainingLoaders, &C.EvaluationLoaders})
    for (const LoaderVariable* V : *Loaders)
      lower(Least, V->Callee, Owner);
  for (const Placement* P : C.ModelPlacements)
    lower(Least, P->Whole, Owner);
  for (const Backward* B : C.Backwards)
    lower(Least, B->Whole, Owner);
  for (const RowsAt& Rows : C.Shards)
    lower(Least, Rows.Where, Owner);
  for (const Loop* Reader : C.EvaluationLoops)
    lower(Least, Reader->Whole, Owner);
  for (const BatchRead& R : F.BatchReads)
    lower(Least, R.Object, Owner);
  for (const DeviceUse& U : F.DeviceUses)
    if (C.replacesDevice(U.Device))
      lower(Least, U.Where, Owner);
  for (const DeviceVariable* D : C.KeptVariables)
    lower(Least, D->Declaration, Owner);
  return Least;
}

/// The first place in \p Owner where a file is written that the main process alone may write.
unsigned ChangeBuilder::firstSave(const Function& Owner) const {
  unsigned Least = Owner.Body.End;
  if (Chosen.applies("save"))
    for (const Output& O : F.Outputs) {
      if (O.Function == Owner.Key && O.What == Output::Kind::Save)
        lower(Least, O.Token, Owner);
      if (O.Function == Owner.Key && O.What == Output::Kind::Write)
        lower(Least, O.Statement, Owner);
    }
  return Least;
}

AcceleratorSource ChangeBuilder::sourceFor(const Function& Owner, unsigned First) const {
  AcceleratorSource Source;
  Source.VisibleFrom = Owner.Body.Begin;
  for (const Parameter& P : Owner.Parameters)
    if (C.DeviceParameters.count(P.Key)) {
      Source.Kind = AcceleratorSource::Kind::Parameter;
      Source.Param = &P;
      return Source;
    }
  for (const DeviceVariable* D : C.Devices) {
    if (D->Function != Owner.Key)
      continue;
    const Span& Setup = D->Setup.front();
    bool TopLevel = std::find(Owner.Statements.begin(), Owner.Statements.end(), Setup) !=
                    Owner.Statements.end();
    if (TopLevel && Setup.Begin <= First) {
      Source.Kind = AcceleratorSource::Kind::ReplacesDevice;
      Source.Device = D;
      Source.VisibleFrom = Setup.Begin;
      return Source;
    }
  }
  // A handle of its own, before the statement that needs it first.
  for (const Span& S : Owner.Statements)
    if (S.valid() && S.Begin <= First && First < S.End)
      Source.Before = S;
  Source.VisibleFrom = Source.Before.Begin;
  return Source;
}

bool ChangeBuilder::checkOneProgram(const FunctionKey& Key) {
  auto It = F.Functions.find(Key);
  if (It == F.Functions.end() || !It->second.OtherDefinition.valid())
    return true;
  const Span &One = It->second.NameSpan, &Other = It->second.OtherDefinition;
  return refuse("AR017", R.At,
                "'" + It->second.Name + "' is also defined in " +
                    (Other.File == R.At.File ? One.File : Other.File) +
                    ", so there is no telling which of them a call means",
                "name the files of one program at a time");
}

bool ChangeBuilder::findSources() {
  for (const FunctionKey& Key : Involved) {
    auto It = F.Functions.find(Key);
    if (It == F.Functions.end())
      return refuse("AR004", R.At, "a function that takes part is not in the project",
                    "name its file too");
    const Function& Owner = It->second;
    if (!checkOneProgram(Key))
      return false;
    bool HasParameter =
        std::any_of(Owner.Parameters.begin(), Owner.Parameters.end(),
                    [&](const Parameter& P) { return C.DeviceParameters.count(P.Key); });
    unsigned First = firstUse(Owner);
    if (First == Owner.Body.End && !HasParameter)
      continue; // It only passes things on.
    AcceleratorSource Source = sourceFor(Owner, std::min(First, firstSave(Owner)));
    if (Source.Kind == AcceleratorSource::Kind::Declared && !Source.Before.valid())
      return refuse("AR008", Owner.NameSpan,
                    "the statement that would need the accelerator first is written in a macro",
                    "write it out");
    C.Functions.emplace(Key, Source);
  }
  findSavers();
  return true;
}

/// Functions that run around the training, on all processes, and save: they need an accelerator for
/// that alone. Where they can't have one, a remark says so.
void ChangeBuilder::findSavers() {
  C.Around = Involved;
  for (bool Grown = true; Grown;) {
    Grown = false;
    for (const Call& One : F.Calls)
      if (C.Around.count(One.Callee))
        Grown |= C.Around.insert(One.Caller).second;
  }
  for (const FunctionKey& Key : C.Around) {
    auto It = F.Functions.find(Key);
    if (It == F.Functions.end() || C.Functions.count(Key) || It->second.NameTaken.valid() ||
        It->second.OtherDefinition.valid())
      continue;
    const Function& Owner = It->second;
    unsigned First = firstSave(Owner);
    auto File = F.Files.find(Owner.NameSpan.File);
    if (First == Owner.Body.End || File == F.Files.end() || File->second.Generated.valid())
      continue;
    AcceleratorSource Source = sourceFor(Owner, First);
    if (Source.Before.valid())
      C.Functions.emplace(Key, Source);
  }
}

} // namespace accel_rewrite
