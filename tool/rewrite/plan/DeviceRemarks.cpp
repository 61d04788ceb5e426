//===- DeviceRemarks.cpp - What to know of the devices of a change --------===//
#include "plan/Remarks.h"

#include <algorithm>

namespace accel_rewrite {

namespace {

class DeviceRemarks {
public:
  DeviceRemarks(const Facts& F, const Trace& Paths, const Change& C, std::vector<Diagnostic>& Out)
      : F(F), Paths(Paths), C(C), Out(Out) {}

  void add() {
    parameters();
    options();
    if (namesNoDevice())
      hostTensors();
  }

private:
  void parameters() {
    for (const DeclKey& Key : C.IgnoredParameters) {
      Trace::ParameterOf Param = Paths.parameter(Key);
      const Parameter& P = Param.Owner->Parameters[Param.Index];
      Out.push_back({"AR140", P.Declarations.empty() ? Param.Owner->NameSpan : P.Declarations[0],
                     "the device that callers out of view pass as '" + P.Name +
                         "' no longer counts: the accelerator's is used",
                     "let them pass accelerator.device()"});
    }
    for (const DeviceValue* V : C.DeviceValues)
      if (V->Made == DeviceValue::Form::Copy)
        Out.push_back({"AR140", V->Where,
                       "the device that callers out of view pass no longer counts: the "
                       "accelerator's is used",
                       "let them pass accelerator.device()"});
  }

  /// An index or a name from outside, in what went.
  void options() {
    for (const DeviceOption& O : F.DeviceOptions)
      if (isGone(O.Where))
        Out.push_back({"AR141", O.Where,
                       "'" + O.Text +
                           "' no longer chooses the device: each process takes the GPU of its "
                           "number on the machine",
                       "choose GPUs by CUDA_VISIBLE_DEVICES, and the CPU by `accel launch --cpu`"});
  }

  bool isGone(const Span& Where) const {
    auto Contains = [&](const Span& S) { return S.contains(Where); };
    auto SetUp = [&](const DeviceVariable* D) {
      return std::any_of(D->Setup.begin(), D->Setup.end(), Contains);
    };
    return std::any_of(C.Devices.begin(), C.Devices.end(), SetUp) ||
           std::any_of(C.KeptVariables.begin(), C.KeptVariables.end(), SetUp) ||
           std::any_of(C.DeviceValues.begin(), C.DeviceValues.end(), [&](const DeviceValue* V) {
             return V->Made != DeviceValue::Form::Copy && V->Where.contains(Where);
           });
  }

  bool namesNoDevice() const {
    return std::none_of(F.DeviceUses.begin(), F.DeviceUses.end(),
                        [&](const DeviceUse& U) { return C.Functions.count(U.Function); }) &&
           std::none_of(F.Placements.begin(), F.Placements.end(),
                        [&](const Placement& P) { return C.Functions.count(P.Function); });
  }

  /// On a machine with GPUs the model and the loaders' batches are there, and nothing else is.
  void hostTensors() {
    for (const HostTensor& Made : F.HostTensors)
      if (C.Functions.count(Made.Function))
        Out.push_back({"AR142", Made.Where,
                       "this tensor is made on the CPU; on a GPU it can't meet the model's",
                       "where it does, append .to(accelerator.device())"});
  }

  const Facts& F;
  const Trace& Paths;
  const Change& C;
  std::vector<Diagnostic>& Out;
};

} // namespace

void addDeviceRemarks(const Facts& F, const Trace& Paths, const Change& C,
                      std::vector<Diagnostic>& Out) {
  DeviceRemarks(F, Paths, C, Out).add();
}

} // namespace accel_rewrite
