//===- ChangeBuilder.h - Works out what one loop's conversion involves ----===//
#ifndef ACCEL_REWRITE_PLAN_CHANGEBUILDER_H
#define ACCEL_REWRITE_PLAN_CHANGEBUILDER_H

#include "plan/Plan.h"
#include "plan/Trace.h"

#include <optional>

namespace accel_rewrite {

/// Builds the Change of one training region, step by step; the first step that fails leaves a
/// refusal.
class ChangeBuilder {
public:
  ChangeBuilder(const Facts& F, const Trace& Paths, const Region& R, const How& Chosen);

  /// The change, or nothing where the region is refused: then refusal() says why.
  std::optional<Change> build();
  const Diagnostic& refusal() const { return Refusal; }

private:
  bool refuse(const char* Code, const Span& Where, std::string Message, std::string Remedy);

  // Each returns false where it refuses.
  bool checkBackwards();
  bool checkHazards();
  bool findOptimizers();
  bool findLoaders();
  bool takeLoader(const LoaderVariable& V);
  bool checkOtherReaders();
  bool readWhole(const char* Code, const Span& Where, std::string Message, std::string Remedy);
  bool findHandMade();
  bool checkHandedOn();
  bool divideByHand();
  bool takeSource(const BatchSource& Source);
  bool checkShards();
  bool isMadeInStep(const DeclKey& Key) const;
  bool areInView(const std::vector<FunctionKey>& Functions) const;
  void dropPlacementsOfShards();
  void findEvaluation();
  void findFunctions();
  bool findDevices();
  bool chooseVariables();
  void findDeviceParameters();
  bool followDevices();
  bool checkDeviceNumbers();
  bool findSources();
  void findSavers();
  bool checkOneProgram(const FunctionKey& Key);
  bool checkFiles();
  void findPlacements();
  void findUnplacedModels();

  bool isTraining(const Loop& Other) const;
  bool isHostOnly(const DeclKey& Device) const;
  bool usesOtherDevice(const DeclKey& Device) const;
  bool needsVariable(const DeviceVariable& D) const;
  bool follow(const DeclKey& Device, const Span& From);
  bool followValues(const DeclKey& Device, const Span& From);
  bool followValue(const DeviceValue& V, bool AllHost);
  bool isPassedOn(const Span& Where) const;
  void keepVariable(const DeviceVariable& D);
  const DeviceVariable* deviceVariable(const DeclKey& Key) const;
  bool takesDevice(const FunctionKey& Key) const;
  bool callsFit(const Function& Owner, unsigned Index) const;
  bool keepsType(const Loop& L, const std::vector<const LoaderVariable*>& Loaders) const;
  AcceleratorSource sourceFor(const Function& Owner, unsigned First) const;
  unsigned firstUse(const Function& Owner) const;
  unsigned firstSave(const Function& Owner) const;
  const LoaderVariable* loader(const DeclKey& Key) const;
  bool addOptimizers(const Step& S);
  void prepareLate(const OptimizerVariable& O, const std::string& Model);
  Span placeInTraining(const OptimizerVariable& O) const;
  bool isPreparedBefore(const OptimizerVariable& O, const std::string& Model) const;

  const Facts& F;
  const Trace& Paths;
  const Region& R;
  const How& Chosen;
  Change C;
  /// Functions whose code takes part.
  std::set<FunctionKey> Involved;
  /// Loops that read evaluation loaders, divided or not.
  std::vector<const Loop*> Readers;
  /// Why the loader of the training loop isn't prepared, where what it reads can be divided.
  std::optional<Diagnostic> LeftLoader;
  /// What brings rows into the losses of a region without a prepared loader.
  std::vector<const BatchSource*> Sources;
  /// Devices that are looked at already.
  std::set<DeclKey> Followed;
  Diagnostic Refusal;
};

} // namespace accel_rewrite

#endif
