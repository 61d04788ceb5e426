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

/// Whether another rule takes the text around \p Where away.
bool isTakenAway(const Change& C, const Span& Where) {
  auto Covers = [&](const Placement* P) { return P->Suffix.contains(Where); };
  return std::any_of(C.BatchPlacements.begin(), C.BatchPlacements.end(), Covers) ||
         std::any_of(C.ModelPlacements.begin(), C.ModelPlacements.end(), Covers) ||
         std::any_of(C.LatePlacements.begin(), C.LatePlacements.end(), Covers);
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

} // namespace

void deviceRule(const Facts& F, const Change& C, EditList& Out) {
  declare(C, Out);
  for (const DeviceVariable* D : C.Devices)
    dropSetup(C, *D, Out);
  for (const DeviceUse& Use : F.DeviceUses)
    if (C.replacesDevice(Use.Device) && !isTakenAway(C, Use.Where))
      Out.replace(Use.Where, isPassedOn(F, C, Use.Where) ? "accelerator" : "accelerator.device()");
  // `tensor.to(torch::kCUDA)`: on several processes that is one GPU for all.
  for (const Placement& P : F.Placements)
    if (P.Device.empty() && P.Argument.valid() && !isTakenAway(C, P.Argument) &&
        seesAccelerator(C, P.Function, P.Argument))
      Out.replace(P.Argument, "accelerator.device()");
}

} // namespace accel_rewrite
