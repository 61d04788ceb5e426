//===- Loaders.cpp - The loaders that a change divides --------------------===//
#include "plan/ChangeBuilder.h"

#include <algorithm>

namespace accel_rewrite {

const LoaderVariable* ChangeBuilder::loader(const DeclKey& Key) const {
  auto It = std::find_if(F.Loaders.begin(), F.Loaders.end(),
                         [&](const LoaderVariable& V) { return V.Key == Key; });
  return It == F.Loaders.end() ? nullptr : &*It;
}

/// A loader that can't be prepared is left as it is, and what it reads is divided as a batch made
/// by hand: then every process reads all batches.
bool ChangeBuilder::readWhole(const char* Code, const Span& Where, std::string Message,
                              std::string Remedy) {
  C.TrainingLoaders.clear();
  LeftLoader = Diagnostic{Code, Where, std::move(Message), std::move(Remedy)};
  return true;
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
  auto IsMadeHere = [&](const DeclKey& Key) {
    const LoaderVariable* Known = loader(Key);
    return Known && Known->Callee.valid();
  };
  bool AnyHere = std::any_of(From.Variables.begin(), From.Variables.end(), IsMadeHere);
  if (!AnyHere && L->DistributedSampler)
    return refuse("AR014", L->Whole, "its sampler divides the rows between processes already",
                  "use RandomSampler or SequentialSampler");
  if (!AnyHere)
    return readWhole("AR004", L->Whole,
                     "the data loader is not made by torch::data::make_data_loader for a variable",
                     "make it with torch::data::make_data_loader");
  for (const DeclKey& Key : From.Variables) {
    if (!IsMadeHere(Key))
      return refuse("AR004", L->Whole,
                    "one of the data loaders that are read here isn't made by "
                    "torch::data::make_data_loader for a variable",
                    "make it with torch::data::make_data_loader");
    for (const LoaderVariable& V : F.Loaders)
      if (V.Key == Key && !takeLoader(V))
        return false;
  }
  return LeftLoader || checkOtherReaders();
}

bool ChangeBuilder::takeLoader(const LoaderVariable& V) {
  if (V.Sampler.find("Distributed") == 0)
    return refuse("AR014", V.NameSpan,
                  "its sampler (" + V.Sampler + ") divides the rows between processes already",
                  "use RandomSampler or SequentialSampler");
  C.TrainingLoaders.push_back(&V);
  // The main process reads a stream and sends its rows, which torch's own type doesn't know.
  if ((V.Stateful || V.Sampler == "StreamSampler") && !keepsType(*R.Training, C.TrainingLoaders))
    return readWhole("AR014", V.NameSpan,
                     "the loader of this stream is read through a type that is spelled out",
                     "hold it by auto, and pass it as a template parameter");
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
      return readWhole("AR005", Other.Whole, "this loop reads the training loader without training",
                       "give it a loader of its own");
  for (const OpaqueUse& Use : F.OpaqueUses)
    if (IsOurs(Use.Variable))
      return readWhole("AR005", Use.Where,
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
