//===- Facts.h - What discovery says of a program, as plain values --------===//
//
// Discovery fills these; nothing after it sees the AST. A declaration is
// identified by the place where its name is written, so that every
// instantiation of a template, and every translation unit that includes a
// header, speaks of the same one.
//
//===----------------------------------------------------------------------===//
#ifndef ACCEL_REWRITE_FACTS_FACTS_H
#define ACCEL_REWRITE_FACTS_FACTS_H

#include "facts/Batches.h"
#include "facts/Configurations.h"
#include "facts/Devices.h"
#include "facts/Files.h"
#include "facts/Functions.h"
#include "facts/Hazards.h"
#include "facts/Lambdas.h"
#include "facts/Layers.h"
#include "facts/Loaders.h"
#include "facts/Loops.h"
#include "facts/Numbers.h"
#include "facts/Optimizers.h"
#include "facts/Steps.h"

#include <map>
#include <string>
#include <vector>

namespace accel_rewrite {

/// A training loop that discovery met but can't describe.
struct Undescribed {
  std::string Code;
  Span Where;
  std::string Message;
  std::string Remedy;
};

/// All that is known of the translation units read so far.
struct Facts {
  std::map<std::string, SourceFile> Files;
  std::map<FunctionKey, Function> Functions;
  std::vector<Call> Calls;
  std::vector<DeviceVariable> Devices;
  std::vector<DeviceUse> DeviceUses;
  std::vector<DeviceValue> DeviceValues;
  std::vector<DeviceOption> DeviceOptions;
  std::vector<DeviceNumber> DeviceNumbers;
  std::vector<HostTensor> HostTensors;
  std::vector<Placement> Placements;
  std::vector<OptimizerVariable> Optimizers;
  std::vector<OptimizerHolder> OptimizerHolders;
  std::vector<OptimizerFlow> OptimizerFlows;
  std::vector<OptimizerType> OptimizerTypes;
  std::vector<LoaderVariable> Loaders;
  std::vector<OpaqueUse> OpaqueUses;
  std::vector<Alias> Aliases;
  std::vector<Loop> Loops;
  std::vector<Backward> Backwards;
  std::vector<Step> Steps;
  std::vector<Clip> Clips;
  std::vector<Lambda> Lambdas;
  std::vector<Hazard> Hazards;
  std::vector<ThreadStart> ThreadStarts;
  std::vector<BatchRead> BatchReads;
  std::vector<BatchSources> Batches;
  std::vector<FixedRows> FixedShapes;
  std::vector<SequenceLayer> SequenceLayers;
  std::vector<Output> Outputs;
  std::vector<Undescribed> Undescribeds;
  std::vector<MacroSite> MacroSites;

  /// Whether `// accel-rewrite: off` speaks for \p Where: its region, or the line where it begins.
  bool isOff(const Span& Where) const;
  /// The text of a span.
  std::string text(const Span& Where) const;
  /// The place of an offset, with its line and column.
  Span at(const std::string& File, unsigned Offset) const;
  /// Takes another unit's facts; what both saw is kept once. What one of them compiles counts as
  /// compiled.
  void merge(Facts&& Other);
  /// Once all units are in: ties calls to functions that another unit defines beside its `main`.
  void link();
  /// Takes the facts of the same unit under another compile command. What one of them skips counts
  /// as skipped, and where they see different code the file is marked.
  void mergeConfiguration(Facts&& Other);
};

} // namespace accel_rewrite

#endif
