//===- Device.cpp - The device gives way to the accelerator ---------------===//
#include "rules/Rules.h"

#include <algorithm>

namespace accel_rewrite {

namespace {

const char Declaration[] = "accel::Accelerator accelerator;";

void declare(const Change& C, EditList& Out) {
  for (const auto& [Key, Source] : C.Functions) {
    if (Source.Kind == AcceleratorSource::Kind::Declared)
      Out.insertLineAbove(Source.Before, Declaration);
    if (Source.Kind == AcceleratorSource::Kind::Parameter)
      for (const Span& Param : Source.Param->Declarations)
        Out.replace(Param, "accel::Accelerator& accelerator");
  }
}

void dropSetup(const Change& C, const DeviceVariable& D, EditList& Out) {
  auto Source = C.Functions.find(D.Function);
  bool Replaced = Source != C.Functions.end() && Source->second.Device == &D;
  for (const Span& Statement : D.Setup)
    if (Replaced && Statement == D.Setup.front())
      Out.replace(Statement, Declaration);
    else
      Out.removeStatement(Statement);
}

/// The accelerator's device, in the words that fit the place.
std::string itsDevice(const Change& C, const FunctionKey& Function, const Span& Where,
                      bool IsType) {
  std::string Text = seesAccelerator(C, Function, Where) ? "accelerator.device()"
                                                         : "accel::Accelerator().device()";
  return IsType ? Text + ".type()" : Text;
}

void keepVariable(const Facts& F, const Change& C, const DeviceVariable& D, EditList& Out) {
  bool Initialized = false;
  for (const DeviceValue& V : F.DeviceValues)
    if (V.Device == D.Key && V.Initializes && D.Declaration.contains(V.Where)) {
      Out.replace(V.Where, itsDevice(C, D.Function, V.Where, V.IsType));
      Initialized = true;
    }
  for (const Span& Statement : D.Setup)
    if (!(Statement == D.Declaration))
      Out.removeStatement(Statement);
    else if (!Initialized) // A torch::Device has no other way.
      Out.insert(Statement.File, Statement.End - 1,
                 " = " + itsDevice(C, D.Function, Statement, true));
}

/// Whether another rule takes the text around \p Where away.
bool isTakenAway(const Change& C, const Span& Where) {
  auto Covers = [&](const Placement* P) {
    return P->Suffix.contains(Where) || P->SelfAssignment.contains(Where);
  };
  auto Gives = [&](const DeviceValue* V) { return V->Where.contains(Where); };
  auto IsSetUpIn = [&](const DeviceVariable* D) {
    return std::any_of(D->Setup.begin(), D->Setup.end(),
                       [&](const Span& S) { return S.contains(Where); });
  };
  return std::any_of(C.BatchPlacements.begin(), C.BatchPlacements.end(), Covers) ||
         std::any_of(C.ModelPlacements.begin(), C.ModelPlacements.end(), Covers) ||
         std::any_of(C.LatePlacements.begin(), C.LatePlacements.end(), Covers) ||
         std::any_of(C.DeviceValues.begin(), C.DeviceValues.end(), Gives) ||
         std::any_of(C.KeptVariables.begin(), C.KeptVariables.end(), IsSetUpIn);
}

/// Whether \p Where is the argument for a parameter that now takes the accelerator.
bool isPassedOn(const Facts& F, const Change& C, const Span& Where) {
  for (const Call& Caller : F.Calls) {
    auto Callee = F.Functions.find(Caller.Callee);
    if (Callee == F.Functions.end())
      continue;
    for (size_t I = 0; I < Caller.Arguments.size() && I < Callee->second.Parameters.size(); ++I)
      if (Caller.Arguments[I].Where == Where &&
          C.DeviceParameters.count(Callee->second.Parameters[I].Key))
        return true;
  }
  return false;
}

void replaceUse(const Facts& F, const Change& C, const DeviceUse& Use, EditList& Out) {
  using As = DeviceUse::As;
  bool Named = Use.Device.empty();
  if (isTakenAway(C, Use.Where) || (Named && !seesAccelerator(C, Use.Function, Use.Where)))
    return;
  if (C.KeptDevices.count(Use.Device) && Use.Compared)
    Out.insert(Use.Where.File, Use.Where.End, ".type()");
  if (!Named && !C.replacesDevice(Use.Device))
    return;
  if (Use.Use == As::Capture || isPassedOn(F, C, Use.Where))
    Out.replace(Use.Where, "accelerator");
  else
    Out.replace(Use.Where,
                itsDevice(C, Use.Function, Use.Where, Use.Use == As::Type || Use.Compared));
}

} // namespace

void deviceRule(const Facts& F, const Change& C, EditList& Out) {
  declare(C, Out);
  for (const DeviceVariable* D : C.Devices)
    dropSetup(C, *D, Out);
  for (const DeviceVariable* D : C.KeptVariables)
    keepVariable(F, C, *D, Out);
  for (const DeviceValue* V : C.DeviceValues)
    Out.replace(V->Where, itsDevice(C, V->Function, V->Where, V->IsType));
  for (const DeviceUse& Use : F.DeviceUses)
    replaceUse(F, C, Use, Out);
  // `tensor.to(torch::kCUDA)`: on several processes that is one GPU for all.
  for (const Placement& P : F.Placements) {
    if (!P.Device.empty() || isTakenAway(C, P.Suffix) || !seesAccelerator(C, P.Function, P.Suffix))
      continue;
    if (P.Argument.valid())
      Out.replace(P.Argument, "accelerator.device()");
    else
      Out.replace(P.Suffix, ".to(accelerator.device())");
  }
}

} // namespace accel_rewrite
