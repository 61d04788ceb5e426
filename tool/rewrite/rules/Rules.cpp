#include "rules/Rules.h"

#include <algorithm>

namespace accel_rewrite {

EditList editsOf(const Facts& F, const Change& C) {
  EditList Out(F);
  for (auto* Rule : {includeRule, deviceRule, modelRule, optimizerRule, loaderRule, shardRule,
                     batchRule, backwardRule, batchReadRule, evaluationRule, outputRule, saveRule})
    Rule(F, C, Out);
  return Out;
}

bool isInDeviceSetup(const Change& C, const Span& Where) {
  return std::any_of(C.Devices.begin(), C.Devices.end(), [&](const DeviceVariable* D) {
    return std::any_of(D->Setup.begin(), D->Setup.end(),
                       [&](const Span& S) { return S.contains(Where); });
  });
}

bool seesAccelerator(const Change& C, const FunctionKey& Function, const Span& Where) {
  auto It = C.Functions.find(Function);
  return It != C.Functions.end() && Where.Begin >= It->second.VisibleFrom &&
         !isInDeviceSetup(C, Where);
}

} // namespace accel_rewrite
