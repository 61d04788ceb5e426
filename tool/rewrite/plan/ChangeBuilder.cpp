#include "plan/ChangeBuilder.h"

#include <algorithm>

namespace accel_rewrite {

ChangeBuilder::ChangeBuilder(const Facts& F, const Trace& Paths, const Region& R, const How& Chosen)
    : F(F), Paths(Paths), R(R), Chosen(Chosen) {
  C.Training = R;
  C.Form = Chosen.Form;
}

std::optional<Change> ChangeBuilder::build() {
  for (const FunctionKey& Key : R.Functions)
    if (!checkOneProgram(Key))
      return std::nullopt;
  if (!checkHazards() || !checkBackwards() || !findOptimizers() || !findLoaders() ||
      !findHandMade())
    return std::nullopt;
  findEvaluation();
  findFunctions();
  if (!findDevices())
    return std::nullopt;
  findPlacements();
  dropPlacementsOfShards();
  if (!findSources() || !checkFiles())
    return std::nullopt;
  findUnplacedModels();
  C.Involved = Involved;
  return C;
}

bool ChangeBuilder::refuse(const char* Code, const Span& Where, std::string Message,
                           std::string Remedy) {
  Refusal = {Code, Where.valid() ? Where : R.At, std::move(Message), std::move(Remedy)};
  return false;
}

bool ChangeBuilder::takesDevice(const FunctionKey& Key) const {
  auto It = F.Functions.find(Key);
  return It != F.Functions.end() &&
         std::any_of(It->second.Parameters.begin(), It->second.Parameters.end(),
                     [](const Parameter& P) { return P.IsDevice; });
}

/// The functions with the loops, the optimizers and the loaders, and those on the calls between
/// them.
void ChangeBuilder::findFunctions() {
  std::set<FunctionKey> Homes;
  for (const LoaderVariable* V : C.TrainingLoaders)
    Homes.insert(V->Function);
  for (const OptimizerVariable* V : C.Optimizers)
    if (!V->Function.empty())
      Homes.insert(V->Function);
  std::vector<FunctionKey> Work(Homes.begin(), Homes.end());
  Work.insert(Work.end(), R.Functions.begin(), R.Functions.end());
  for (const Loop* Reader : Readers)
    Work.push_back(Reader->Function);
  while (!Work.empty()) {
    FunctionKey Next = Work.back();
    Work.pop_back();
    if (!Involved.insert(Next).second)
      continue;
    // Above the function that makes the optimizer and the loader, only a device can come from.
    if (Homes.count(Next) && !takesDevice(Next))
      continue;
    for (const Call* Caller : Paths.callsOf(Next))
      Work.push_back(Caller->Caller);
  }
}

bool ChangeBuilder::checkFiles() {
  for (const auto& [Key, Source] : C.Functions) {
    const Function& Owner = F.Functions.at(Key);
    if (Owner.NameTaken.valid())
      return refuse("AR007", Owner.NameTaken,
                    "a name that the rewritten code needs, `accelerator` or `accel`, means "
                    "something else in '" +
                        Owner.Name + "'",
                    "rename it");
  }
  return true;
}

} // namespace accel_rewrite
