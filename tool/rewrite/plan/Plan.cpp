#include "plan/Plan.h"
#include "plan/ChangeBuilder.h"
#include "plan/Remarks.h"

#include <algorithm>

namespace accel_rewrite {

namespace {

bool hasBackward(const Facts& F, const Loop& L) {
  return std::any_of(F.Backwards.begin(), F.Backwards.end(),
                     [&](const Backward& B) { return L.Whole.contains(B.Whole); });
}

/// A loop that runs training once for each of its own steps (over folds, say) is not the training
/// loop: the innermost one is.
bool isInnermost(const Facts& F, const Loop& L) {
  return std::none_of(F.Loops.begin(), F.Loops.end(), [&](const Loop& Other) {
    return &Other != &L && L.Whole.contains(Other.Whole) && hasBackward(F, Other);
  });
}

/// Every backward belongs to a loop that is converted or refused, or is named here; one without any
/// step in the project is no training.
void reportStrayBackwards(const Facts& F, Plan& Out) {
  if (F.Steps.empty())
    return;
  for (const Backward& B : F.Backwards) {
    bool InLoop = std::any_of(F.Loops.begin(), F.Loops.end(),
                              [&](const Loop& L) { return L.Whole.contains(B.Whole); });
    if (InLoop || F.isOff(B.Whole))
      continue;
    ++Out.TrainingLoops;
    Out.Diagnostics.push_back(
        {"AR001", B.Whole,
         "this backward is not in a loop over a data loader, so its batches can't be divided",
         "read the data with a loader of torch::data::make_data_loader, or convert the loop by "
         "hand"});
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

Plan makePlan(const Facts& F) {
  Plan Out;
  Trace Paths(F);
  for (const Loop& L : F.Loops) {
    if (!hasBackward(F, L) || !isInnermost(F, L) || F.isOff(L.Whole))
      continue;
    ++Out.TrainingLoops;
    ChangeBuilder Builder(F, Paths, L);
    if (std::optional<Change> C = Builder.build()) {
      addRemarks(F, Paths, *C, Out.Diagnostics);
      Out.Changes.push_back(std::move(*C));
    } else {
      Out.Diagnostics.push_back(Builder.refusal());
    }
  }
  reportStrayBackwards(F, Out);
  for (const Undescribed& U : F.Undescribeds)
    if (U.Code != "AR010")
      Out.Diagnostics.push_back({U.Code, U.Where, U.Message, U.Remedy});
  return Out;
}

} // namespace accel_rewrite
