#include "guard/Guard.h"

#include <algorithm>

namespace accel_rewrite {

namespace {

/// What a conversion would change, if it could see it.
bool isSite(const SkippedName& N) {
  if (N.IsCalled && N.IsMember)
    return N.Name == "backward" || N.Name == "step";
  return N.Name == "make_data_loader" || N.Name == "clip_grad_norm_";
}

/// What chooses a device, or takes the names that the rewritten code needs.
bool isSiteInFunction(const SkippedName& N) {
  static const std::set<std::string> Names = {"Device",      "DeviceType",   "kCUDA",        "kMPS",
                                              "kXPU",        "is_available", "device_count", "cuda",
                                              "accelerator", "accel"};
  return isSite(N) || Names.count(N.Name) > 0;
}

/// The names of what the change replaces, prepares or divides.
std::set<std::string> changedNames(const Facts& F, const Change& C) {
  std::set<std::string> Names;
  for (const DeviceVariable* V : C.Devices)
    Names.insert(V->Name);
  for (const OptimizerVariable* V : C.Optimizers)
    Names.insert(V->Name);
  for (const auto* Loaders : {&C.TrainingLoaders, &C.EvaluationLoaders})
    for (const LoaderVariable* V : *Loaders)
      Names.insert(V->Name);
  for (const auto& [Key, Owner] : F.Functions)
    for (const Parameter& P : Owner.Parameters)
      if (C.DeviceParameters.count(P.Key))
        Names.insert({P.Name, Owner.Name});
  return Names;
}

} // namespace

std::optional<Diagnostic> configurationObstacle(const Facts& F, const Change& C,
                                                const EditList& Edits) {
  std::set<std::string> Files, Changed = changedNames(F, C);
  for (const Edit& E : Edits.edits())
    Files.insert(E.File);
  auto IsInside = [&](const SkippedName& N) {
    return std::any_of(C.Involved.begin(), C.Involved.end(), [&](const FunctionKey& Key) {
      auto It = F.Functions.find(Key);
      return It != F.Functions.end() && It->second.Body.contains(N.Where);
    });
  };
  for (const std::string& Path : Files) {
    const SourceFile& File = F.Files.at(Path);
    for (const SkippedName& N : File.Skipped)
      if (isSite(N) || ((Changed.count(N.Name) || isSiteInFunction(N)) && IsInside(N)))
        return Diagnostic{"AR020", N.Where,
                          "the conversion of " + loopOf(C.Training) + " concerns `" + N.Name +
                              "` here, in a branch of `#if` that is not compiled",
                          "take the branch out of the function, or convert the loop by hand"};
    if (File.Disagreement.valid())
      return Diagnostic{"AR021", File.Disagreement,
                        "the compile commands of this file disagree on what this is",
                        "name one of them with -p, or convert the loop by hand"};
  }
  return std::nullopt;
}

} // namespace accel_rewrite
