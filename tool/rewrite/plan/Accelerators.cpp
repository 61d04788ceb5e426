//===- Accelerators.cpp - Devices, and how functions get at the accelerator =//
#include "plan/ChangeBuilder.h"

#include <algorithm>

namespace accel_rewrite {

bool ChangeBuilder::findDevices() {
  std::map<FunctionKey, const DeviceVariable*> Seen;
  for (const DeviceVariable& D : F.Devices) {
    if (!Involved.count(D.Function))
      continue;
    Span At = D.Setup.empty() ? D.ObstacleAt : D.Setup.front();
    if (!D.Obstacle.empty())
      return refuse("AR006", D.ObstacleAt,
                    "the device '" + D.Name + "' can't be replaced: " + D.Obstacle,
                    "choose it in one statement, or one if");
    if (!Seen.emplace(D.Function, &D).second)
      return refuse("AR006", At, "this function chooses several devices",
                    "use one device a process");
    C.Devices.push_back(&D);
  }
  for (const DeviceUse& U : F.DeviceUses)
    if (Involved.count(U.Function) && (U.InLambda || !U.Where.valid()))
      return refuse("AR006", U.Where,
                    "the device is used in a lambda or a macro, where it can't be replaced",
                    "use it outside");
  for (const Placement& P : F.Placements) {
    bool Known = P.Device.empty() || Paths.parameter(P.Device).Owner || C.replacesDevice(P.Device);
    if (Involved.count(P.Function) && !Known)
      return refuse(
          "AR006", P.Argument, "this device is neither a local variable nor a parameter",
          "make it a local variable of the function that makes the model, and pass it on");
  }
  return true;
}

/// Whether all calls pass a converted device there, and nothing but it.
bool ChangeBuilder::callsFit(const Function& Owner, unsigned Index) const {
  const Parameter& P = Owner.Parameters[Index];
  if (std::any_of(P.Declarations.begin(), P.Declarations.end(),
                  [](const Span& S) { return !S.valid(); }))
    return false;
  std::vector<const Call*> Calls = Paths.callsOf(Owner.Key);
  return !Calls.empty() && std::all_of(Calls.begin(), Calls.end(), [&](const Call* Caller) {
    return Index < Caller->Arguments.size() && Caller->Arguments[Index].IsPlainVariable &&
           Caller->Arguments[Index].Where.valid() &&
           C.replacesDevice(Caller->Arguments[Index].Root);
  });
}

void ChangeBuilder::findDeviceParameters() {
  // Assume that all fit, and take back those that don't until nothing changes.
  std::vector<std::pair<const Function*, unsigned>> Candidates;
  for (const FunctionKey& Key : Involved) {
    auto It = F.Functions.find(Key);
    if (It == F.Functions.end())
      continue;
    const Function& Owner = It->second;
    auto IsDevice = [](const Parameter& P) { return P.IsDevice; };
    // With two devices there is no telling which one the accelerator stands for.
    if (std::count_if(Owner.Parameters.begin(), Owner.Parameters.end(), IsDevice) != 1)
      continue;
    auto Param = std::find_if(Owner.Parameters.begin(), Owner.Parameters.end(), IsDevice);
    Candidates.emplace_back(&Owner, Param - Owner.Parameters.begin());
    C.DeviceParameters.insert(Param->Key);
  }
  for (bool Dropped = true; Dropped;) {
    Dropped = false;
    for (const auto& [Owner, Index] : Candidates)
      if (C.DeviceParameters.count(Owner->Parameters[Index].Key) && !callsFit(*Owner, Index)) {
        C.DeviceParameters.erase(Owner->Parameters[Index].Key);
        Dropped = true;
      }
  }
}

/// A device parameter that stays would send models and batches where the accelerator is not.
bool ChangeBuilder::checkKeptDevices() {
  for (const DeviceUse& U : F.DeviceUses)
    if (Involved.count(U.Function) && Paths.parameter(U.Device).Owner &&
        !C.replacesDevice(U.Device))
      return refuse("AR006", U.Where,
                    "this device is a parameter, and not all callers in view pass it a device that "
                    "the accelerator replaces",
                    "name the files of all callers, and let them pass one device variable");
  return true;
}

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
  for (const Span& Rows : C.Shards)
    lower(Least, Rows, Owner);
  for (const Loop* Reader : C.EvaluationLoops)
    lower(Least, Reader->Whole, Owner);
  for (const BatchRead& R : F.BatchReads)
    lower(Least, R.Object, Owner);
  for (const DeviceUse& U : F.DeviceUses)
    if (C.replacesDevice(U.Device))
      lower(Least, U.Where, Owner);
  return Least;
}

AcceleratorSource ChangeBuilder::sourceFor(const Function& Owner) const {
  AcceleratorSource Source;
  Source.VisibleFrom = Owner.Body.Begin;
  for (const Parameter& P : Owner.Parameters)
    if (C.DeviceParameters.count(P.Key)) {
      Source.Kind = AcceleratorSource::Kind::Parameter;
      Source.Param = &P;
      return Source;
    }
  unsigned First = firstUse(Owner);
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

bool ChangeBuilder::findSources() {
  for (const FunctionKey& Key : Involved) {
    auto It = F.Functions.find(Key);
    if (It == F.Functions.end())
      return refuse("AR004", R.At, "a function that takes part is not in the project",
                    "name its file too");
    const Function& Owner = It->second;
    bool HasParameter =
        std::any_of(Owner.Parameters.begin(), Owner.Parameters.end(),
                    [&](const Parameter& P) { return C.DeviceParameters.count(P.Key); });
    if (firstUse(Owner) == Owner.Body.End && !HasParameter)
      continue; // It only passes things on.
    AcceleratorSource Source = sourceFor(Owner);
    if (Source.Kind == AcceleratorSource::Kind::Declared && !Source.Before.valid())
      return refuse("AR008", Owner.NameSpan,
                    "the statement that would need the accelerator first is written in a macro",
                    "write it out");
    C.Functions.emplace(Key, Source);
  }
  return true;
}

} // namespace accel_rewrite
