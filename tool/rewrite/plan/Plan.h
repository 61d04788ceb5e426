//===- Plan.h - Which loops are converted, and what that involves ---------===//
//
// The plan ties facts of all translation units together and decides; the
// rules only write down what was decided.
//
//===----------------------------------------------------------------------===//
#ifndef ACCEL_REWRITE_PLAN_PLAN_H
#define ACCEL_REWRITE_PLAN_PLAN_H

#include "facts/Facts.h"
#include "plan/How.h"
#include "plan/Region.h"
#include "report/Diagnostic.h"

#include <set>

namespace accel_rewrite {

/// How the code of a function gets at the accelerator.
struct AcceleratorSource {
  enum class Kind {
    ReplacesDevice, ///< declared where the device was chosen
    Parameter,      ///< passed in place of the device
    Declared        ///< declared as a handle of the function's own
  } Kind = Kind::Declared;
  const DeviceVariable* Device = nullptr;
  const Parameter* Param = nullptr;
  /// Declared: the statement before which it is declared.
  Span Before;
  /// Offset in the function's file from which it can be used.
  unsigned VisibleFrom = 0;
};

/// All that the conversion of one training region involves, across functions and files. It is
/// applied as a whole or not at all.
struct Change {
  Region Training;
  PlacementForm Form = PlacementForm::Full;
  std::vector<const Backward*> Backwards;
  /// Functions whose code takes part, and how those of them that need the accelerator get at it.
  std::set<FunctionKey> Involved;
  std::map<FunctionKey, AcceleratorSource> Functions;
  /// The former, and whatever calls them, at whatever remove: all processes run these.
  std::set<FunctionKey> Around;
  std::vector<const DeviceVariable*> Devices;
  std::set<DeclKey> DeviceParameters;
  /// Variables, fields and parameters that stay and hold the accelerator's device.
  std::set<DeclKey> KeptDevices;
  /// Local ones, whose other statements of choice go.
  std::vector<const DeviceVariable*> KeptVariables;
  /// What else gives them values, which becomes the accelerator's device.
  std::vector<const DeviceValue*> DeviceValues;
  /// Device parameters that stay for callers out of view, with the accelerator's device where they
  /// were used.
  std::set<DeclKey> IgnoredParameters;
  std::vector<const OptimizerVariable*> Optimizers;
  /// What holds them by value, and takes the prepared class.
  std::vector<const OptimizerHolder*> OptimizerHolders;
  /// Templates that go on with libtorch's class of one of them.
  std::vector<const OptimizerType*> OptimizerTypes;
  /// Loaders whose batches are divided for training, and for evaluation.
  std::vector<const LoaderVariable*> TrainingLoaders;
  std::vector<const LoaderVariable*> EvaluationLoaders;
  /// Batches made by hand: the expressions of which each process takes its rows.
  std::vector<RowsAt> Shards;
  /// Loops over the latter, whose sums are reduced after them.
  std::vector<const Loop*> EvaluationLoops;
  /// `.to(device)` of what a prepared loader has moved already.
  std::vector<const Placement*> BatchPlacements;
  /// `model.to(device)`, which becomes prepare.
  std::vector<const Placement*> ModelPlacements;
  /// `model.to(device)` that comes after the model was prepared for its optimizer: a statement to
  /// drop.
  std::vector<const Placement*> LatePlacements;
  /// Models to prepare elsewhere, since their optimizer is made in no block: text, and the
  /// statement before which, or the begin of an empty body.
  struct LateModel {
    std::string Text;
    Span Before;
    /// There is an accelerator.
    bool SeesAccelerator = false;
  };
  std::vector<LateModel> LateModels;
  /// Optimizers with parameters whose model can't be named.
  std::vector<const OptimizerVariable*> UnnamedModels;
  /// Models that are placed nowhere before their optimizer is made: text, by optimizer.
  std::map<const OptimizerVariable*, std::vector<std::string>> UnplacedModels;
  /// What to say of the conversion where it is made.
  std::vector<Diagnostic> Remarks;

  /// Whether the accelerator takes the place of this device variable or parameter.
  bool replacesDevice(const DeclKey& Device) const;
  /// Whether that, or a variable that holds the accelerator's device.
  bool isItsDevice(const DeclKey& Device) const;
};

struct Plan {
  std::vector<Change> Changes;
  std::vector<Diagnostic> Diagnostics;
  /// The regions that can't be converted.
  std::vector<Region> Refused;
  /// All training loops, converted or refused.
  std::vector<Span> TrainingLoops;
};

Plan makePlan(const Facts& F, const How& Chosen);

} // namespace accel_rewrite

#endif
