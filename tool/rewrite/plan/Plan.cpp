#include "plan/Plan.h"
#include "plan/ChangeBuilder.h"
#include "plan/Handles.h"
#include "plan/Remarks.h"

#include <algorithm>

namespace accel_rewrite {

namespace {

/// A backward that belongs to no region is named, so that none is passed over; without any step in
/// the project it is no training.
void reportStrays(const Facts& F, const Regions& Of, Plan& Out) {
  if (F.Steps.empty())
    return;
  for (const Stray& S : Of.Strays) {
    if (F.isOff(S.Where->Whole))
      continue;
    Out.TrainingLoops.push_back(S.Where->Whole);
    if (S.Shared)
      Out.Diagnostics.push_back(
          {"AR050", S.Where->Whole,
           "several places call the function of this backward, and step by "
           "themselves",
           "step in the function that computes the gradients, or compute them "
           "where they are used",
           S.Where->Whole});
    else
      Out.Diagnostics.push_back(
          {"AR002", S.Where->Whole, "no optimizer steps in the loop or function of this backward",
           "step in the loop that computes the gradients, or convert it by hand", S.Where->Whole});
  }
}

/// A backward that no configuration in view compiles is named, so that none is passed over.
void reportSkippedBackwards(const Facts& F, Plan& Out) {
  for (const auto& [Path, File] : F.Files)
    for (const SkippedName& N : File.Skipped)
      if (N.Name == "backward" && N.IsMember && N.IsCalled && !F.isOff(N.Where)) {
        Out.TrainingLoops.push_back(N.Where);
        Out.Diagnostics.push_back({"AR020", N.Where,
                                   "this backward is in a branch of `#if` that is not compiled "
                                   "here, so what it does is unknown",
                                   "configure the build so that it is compiled", N.Where});
      }
}

} // namespace

bool Change::replacesDevice(const DeclKey& Device) const {
  return DeviceParameters.count(Device) || IgnoredParameters.count(Device) ||
         std::any_of(Devices.begin(), Devices.end(),
                     [&](const DeviceVariable* D) { return D->Key == Device; });
}

bool Change::isItsDevice(const DeclKey& Device) const {
  return replacesDevice(Device) || KeptDevices.count(Device) > 0;
}

Plan makePlan(const Facts& F, const How& Chosen) {
  Plan Out;
  Trace Paths(F);
  Regions Of = findRegions(F, Paths);
  for (const Region& R : Of.Found) {
    if (F.isOff(R.At))
      continue;
    Out.TrainingLoops.push_back(R.At);
    ChangeBuilder Builder(F, Paths, R, Chosen);
    if (std::optional<Change> C = Builder.build()) {
      addRemarks(F, Paths, *C, C->Remarks);
      for (Diagnostic& D : C->Remarks)
        D.Loop = R.At;
      Out.Changes.push_back(std::move(*C));
    } else {
      Out.Diagnostics.push_back(Builder.refusal());
      Out.Diagnostics.back().Loop = R.At;
      Out.Refused.push_back(R);
    }
  }
  shareHandles(Out.Changes);
  reportStrays(F, Of, Out);
  reportSkippedBackwards(F, Out);
  for (const Undescribed& U : F.Undescribeds)
    if (U.Code != "AR010" && !F.isOff(U.Where))
      Out.Diagnostics.push_back({U.Code, U.Where, U.Message, U.Remedy});
  return Out;
}

} // namespace accel_rewrite
