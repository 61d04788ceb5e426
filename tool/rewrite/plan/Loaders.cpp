//===- Loaders.cpp - The loaders that a change divides --------------------===//
#include "plan/ChangeBuilder.h"

#include <algorithm>

namespace accel_rewrite {

const LoaderVariable* ChangeBuilder::loader(const DeclKey& Key) const {
  auto It = std::find_if(F.Loaders.begin(), F.Loaders.end(),
                         [&](const LoaderVariable& V) { return V.Key == Key; });
  return It == F.Loaders.end() ? nullptr : &*It;
}

bool ChangeBuilder::findLoaders() {
  const Loop* L = R.Training;
  if (!L || !L->OverLoader)
    return true; // Batches made by hand: see findHandMade.
  Trace::Origins From = Paths.origins(L->Loader);
  if (From.Lost || From.Variables.empty())
    return refuse("AR004", From.LostAt.valid() ? From.LostAt : L->Whole,
                  "the data loader of the training loop can't be followed to where it is made",
                  "name the files that make it too");
  for (const DeclKey& Key : From.Variables) {
    const LoaderVariable* Known = loader(Key);
    if (!Known || !Known->Callee.valid())
      return refuse("AR004", L->Whole,
                    "the data loader is not made by torch::data::make_data_loader for a variable",
                    "make it with torch::data::make_data_loader");
    for (const LoaderVariable& V : F.Loaders)
      if (V.Key == Key && !takeLoader(V))
        return false;
  }
  return true;
}

bool ChangeBuilder::takeLoader(const LoaderVariable& V) {
  if (V.Stateful || V.Sampler.find("Distributed") == 0 || V.Sampler == "StreamSampler")
    return refuse("AR014", V.NameSpan,
                  V.Stateful
                      ? "the data set keeps its own state, so its batches can't be divided by index"
                      : "its sampler (" + V.Sampler + ") can't be divided",
                  "use RandomSampler or SequentialSampler");
  C.TrainingLoaders.push_back(&V);
  return true;
}

/// A loader gives each process its share whoever reads it: all who read the training loader must
/// expect that.
bool ChangeBuilder::checkOtherReaders() {
  auto IsOurs = [&](const DeclKey& Key) {
    for (const DeclKey& From : Paths.origins(Key).Variables)
      for (const LoaderVariable* V : C.TrainingLoaders)
        if (V->Key == From)
          return true;
    return false;
  };
  for (const Loop& Other : F.Loops)
    if (!isTraining(Other) && IsOurs(Other.Loader))
      return refuse("AR005", Other.Whole, "this loop reads the training loader without training",
                    "give it a loader of its own");
  for (const OpaqueUse& Use : F.OpaqueUses)
    if (IsOurs(Use.Variable))
      return refuse("AR005", Use.Where,
                    "the training loader is used here in a way that isn't followed",
                    "read it with `for (auto& batch : *loader)` only");
  return true;
}

/// Loaders that stand beside the training loader and are read without training.
void ChangeBuilder::findEvaluation() {
  std::set<FunctionKey> Homes;
  for (const LoaderVariable* V : C.TrainingLoaders)
    Homes.insert(V->Function);
  for (const OptimizerVariable* V : C.Optimizers)
    Homes.insert(V->Function);
  for (const LoaderVariable& V : F.Loaders) {
    if (!Homes.count(V.Function) || std::find(C.TrainingLoaders.begin(), C.TrainingLoaders.end(),
                                              &V) != C.TrainingLoaders.end())
      continue;
    std::vector<const Loop*> ReadBy;
    bool Provable = V.Callee.valid() && !V.Stateful && Chosen.applies("evaluation");
    for (const Loop& Reader : F.Loops) {
      Trace::Origins From = Paths.origins(Reader.Loader);
      if (!From.Variables.count(V.Key))
        continue;
      ReadBy.push_back(&Reader);
      Provable &= !From.Lost && From.Variables.size() == 1 && !isTraining(Reader) &&
                  Reader.EvaluationObstacle.empty();
    }
    for (const OpaqueUse& Use : F.OpaqueUses)
      Provable &= !Paths.origins(Use.Variable).Variables.count(V.Key);
    Readers.insert(Readers.end(), ReadBy.begin(), ReadBy.end());
    if (!Provable || ReadBy.empty())
      continue;
    C.EvaluationLoaders.push_back(&V);
    C.EvaluationLoops.insert(C.EvaluationLoops.end(), ReadBy.begin(), ReadBy.end());
  }
}

} // namespace accel_rewrite
