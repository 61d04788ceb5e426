//===- How.h - What a person can choose about the conversion --------------===//
#ifndef ACCEL_REWRITE_PLAN_HOW_H
#define ACCEL_REWRITE_PLAN_HOW_H

#include <set>
#include <string>

namespace accel_rewrite {

/// The two forms of the change, as in the README of Accelerate.
enum class PlacementForm {
  Full,  ///< what prepare and the loaders make needless goes: the device, `.to(device)`
  Device ///< each `.to(device)` stays, and the device becomes `accelerator.device()`
};

/// The choices that a command line makes for all loops.
struct How {
  PlacementForm Form = PlacementForm::Full;
  /// Rules (by name) that leave the code they are for as it is.
  std::set<std::string> LeftOut;

  bool applies(const std::string& Rule) const { return !LeftOut.count(Rule); }
};

} // namespace accel_rewrite

#endif
