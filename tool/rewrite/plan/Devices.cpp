//===- Devices.cpp - Which devices give way, and which hold the accelerator's //
//
// A local device is replaced by the accelerator, and so is a parameter that
// all callers pass one. Every other variable, field or parameter that the
// loop's code uses stays: then each of its values becomes the accelerator's
// device, back to where it comes from.
//
//===----------------------------------------------------------------------===//
#include "plan/ChangeBuilder.h"

#include <algorithm>

namespace accel_rewrite {

bool ChangeBuilder::findDevices() {
  if (!chooseVariables())
    return false;
  if (C.Form == PlacementForm::Full)
    findDeviceParameters();
  return followDevices() && checkDeviceNumbers();
}

const DeviceVariable* ChangeBuilder::deviceVariable(const DeclKey& Key) const {
  auto It = std::find_if(F.Devices.begin(), F.Devices.end(),
                         [&](const DeviceVariable& D) { return D.Key == Key; });
  return It == F.Devices.end() ? nullptr : &*It;
}

/// Whether the host is all that it ever holds.
bool ChangeBuilder::isHostOnly(const DeclKey& Device) const {
  std::set<DeclKey> Seen;
  std::vector<DeclKey> Work = {Device};
  while (!Work.empty()) {
    DeclKey Next = Work.back();
    Work.pop_back();
    if (!Seen.insert(Next).second)
      continue;
    if (const DeviceVariable* D = deviceVariable(Next); D && D->IsHost)
      continue;
    bool Any = false;
    for (const DeviceValue& V : F.DeviceValues) {
      if (V.Device != Next)
        continue;
      if (V.Made == DeviceValue::Form::Copy)
        Work.push_back(V.From);
      else if (V.Made != DeviceValue::Form::Host)
        return false;
      Any = true;
    }
    if (!Any)
      return false;
  }
  return true;
}

/// Whether the code that takes part uses a device that isn't the host, beside \p Device: then that
/// is the host on purpose.
bool ChangeBuilder::usesOtherDevice(const DeclKey& Device) const {
  return std::any_of(F.DeviceUses.begin(), F.DeviceUses.end(),
                     [&](const DeviceUse& U) {
                       return Involved.count(U.Function) && U.Device != Device &&
                              !isHostOnly(U.Device);
                     }) ||
         std::any_of(F.Placements.begin(), F.Placements.end(), [&](const Placement& P) {
           return Involved.count(P.Function) && P.Device.empty();
         });
}

/// Whether the variable itself is bound to a reference, other than a parameter that gives way too.
bool ChangeBuilder::needsVariable(const DeviceVariable& D) const {
  return std::any_of(F.DeviceUses.begin(), F.DeviceUses.end(), [&](const DeviceUse& U) {
    return U.Device == D.Key && U.Use == DeviceUse::As::Variable && !isPassedOn(U.Where);
  });
}

/// Whether \p Where is the argument for a parameter that may take the accelerator.
bool ChangeBuilder::isPassedOn(const Span& Where) const {
  for (const Call& Caller : F.Calls) {
    auto Callee = F.Functions.find(Caller.Callee);
    if (Callee == F.Functions.end() || !Involved.count(Caller.Callee))
      continue;
    for (size_t I = 0; I < Caller.Arguments.size() && I < Callee->second.Parameters.size(); ++I)
      if (Caller.Arguments[I].Where == Where)
        return true;
  }
  return false;
}

void ChangeBuilder::keepVariable(const DeviceVariable& D) {
  Followed.insert(D.Key);
  C.KeptDevices.insert(D.Key);
  C.KeptVariables.push_back(&D);
}

bool ChangeBuilder::chooseVariables() {
  for (const DeviceVariable& D : F.Devices) {
    if (!Involved.count(D.Function) || (D.IsHost && usesOtherDevice(D.Key)))
      continue;
    if (D.IsReassigned || (!D.Obstacle.empty() && !D.ObstacleAt.valid()))
      return refuse("AR006", D.ObstacleAt,
                    "the device '" + D.Name + "' can't be replaced: " + D.Obstacle,
                    "choose it in one statement, or one if");
    if (!D.Obstacle.empty())
      continue; // It is followed like a field.
    if (C.Form == PlacementForm::Device || needsVariable(D))
      keepVariable(D);
    else
      C.Devices.push_back(&D);
  }
  for (const DeviceUse& U : F.DeviceUses)
    if (Involved.count(U.Function) && U.Where.Begin == U.Where.End && C.replacesDevice(U.Device))
      return refuse("AR006", U.Where, "the device is used in a macro, where it can't be replaced",
                    "use it outside");
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

/// Makes every device that the code which takes part uses the accelerator's.
bool ChangeBuilder::followDevices() {
  for (const DeviceUse& U : F.DeviceUses)
    if (Involved.count(U.Function) && !U.Device.empty() && !follow(U.Device, U.Where))
      return false;
  for (const Placement& P : F.Placements)
    if (Involved.count(P.Function) && !P.Device.empty() && !follow(P.Device, P.Argument))
      return false;
  return true;
}

bool ChangeBuilder::follow(const DeclKey& Device, const Span& From) {
  if (C.replacesDevice(Device) || !Followed.insert(Device).second)
    return true;
  if (isHostOnly(Device) && usesOtherDevice(Device))
    return true; // The host on purpose, which stays.
  if (const DeviceVariable* D = deviceVariable(Device); D && D->Obstacle.empty()) {
    keepVariable(*D);
    return true;
  }
  Trace::ParameterOf Param = Paths.parameter(Device);
  bool HasValue = std::any_of(F.DeviceValues.begin(), F.DeviceValues.end(),
                              [&](const DeviceValue& V) { return V.Device == Device; });
  if (Param.Owner && !HasValue) {
    // Whatever callers out of view pass.
    for (const DeviceUse& U : F.DeviceUses)
      if (U.Device == Device && U.Use == DeviceUse::As::Variable &&
          Involved.count(Param.Owner->Key))
        return refuse("AR006", U.Where,
                      "this device comes from callers out of view, and is bound to a reference "
                      "here, so that nothing can stand for it",
                      "name the files of the callers, or pass devices by value");
    if (Involved.count(Param.Owner->Key))
      C.IgnoredParameters.insert(Device);
    return true;
  }
  if (!HasValue)
    return refuse("AR041", From, "where this device is chosen isn't in view",
                  "name the file that does it, or choose it in this one");
  C.KeptDevices.insert(Device);
  return followValues(Device, From);
}

bool ChangeBuilder::followValues(const DeclKey& Device, const Span& From) {
  bool AllHost = isHostOnly(Device);
  for (const DeviceValue& V : F.DeviceValues) {
    if (V.Device != Device)
      continue;
    if (V.Made == DeviceValue::Form::Host && !V.Initializes && !AllHost)
      return refuse("AR006", Paths.parameter(Device).Owner ? From : V.PointAt,
                    Paths.parameter(Device).Owner
                        ? "this device is a parameter that is the host in one call and another "
                          "device in the next"
                        : "the device is the host for a while",
                    "choose it in one statement, or one if, and pass it on");
    if (!followValue(V, AllHost))
      return false;
  }
  return true;
}

bool ChangeBuilder::followValue(const DeviceValue& V, bool AllHost) {
  using Form = DeviceValue::Form;
  bool Replace = V.Made == Form::Choice || (V.Made == Form::Host && (V.Initializes || AllHost));
  if (V.Made == Form::Copy) {
    if (!follow(V.From, V.PointAt))
      return false;
    // A parameter of a function that doesn't take part: nothing is known of what it is given.
    Replace = !C.isItsDevice(V.From);
  }
  if (!Replace)
    return true;
  if (!V.Where.valid() || V.Where.Begin == V.Where.End)
    return refuse("AR008", V.PointAt, "this device is chosen in a macro's body", "write it out");
  C.DeviceValues.push_back(&V);
  return true;
}

/// Two GPUs by different numbers are two devices in one process.
bool ChangeBuilder::checkDeviceNumbers() {
  const DeviceNumber* First = nullptr;
  for (const DeviceNumber& N : F.DeviceNumbers) {
    if (N.Device.empty() ? !Involved.count(N.Function) : !C.isItsDevice(N.Device))
      continue;
    bool Other = First && (First->Device != N.Device || N.Device.empty());
    if (Other && First->Number != N.Number)
      return refuse("AR040", N.Where,
                    "this process works with several GPUs: " + std::to_string(First->Number) +
                        " and " + std::to_string(N.Number),
                    "use one device a process");
    if (!First)
      First = &N;
  }
  return true;
}

} // namespace accel_rewrite
