#include "plan/ChangeBuilder.h"

#include <algorithm>

namespace accel_rewrite {

ChangeBuilder::ChangeBuilder(const Facts& F, const Trace& Paths, const Loop& L)
    : F(F), Paths(Paths), L(L) {
  C.Training = &L;
}

std::optional<Change> ChangeBuilder::build() {
  if (!checkBackwards() || !findOptimizers() || !findLoaders() || !checkOtherReaders())
    return std::nullopt;
  findEvaluation();
  findFunctions();
  if (!findDevices())
    return std::nullopt;
  findDeviceParameters();
  findPlacements();
  if (!checkKeptDevices() || !findSources() || !checkFiles())
    return std::nullopt;
  findUnplacedModels();
  return C;
}

bool ChangeBuilder::refuse(const char* Code, const Span& Where, std::string Message,
                           std::string Remedy) {
  Refusal = {Code, Where.valid() ? Where : L.Whole, std::move(Message), std::move(Remedy)};
  return false;
}

const LoaderVariable* ChangeBuilder::loader(const DeclKey& Key) const {
  auto It = std::find_if(F.Loaders.begin(), F.Loaders.end(),
                         [&](const LoaderVariable& V) { return V.Key == Key; });
  return It == F.Loaders.end() ? nullptr : &*It;
}

const OptimizerVariable* ChangeBuilder::optimizer(const DeclKey& Key) const {
  auto It = std::find_if(F.Optimizers.begin(), F.Optimizers.end(),
                         [&](const OptimizerVariable& V) { return V.Key == Key; });
  return It == F.Optimizers.end() ? nullptr : &*It;
}

bool ChangeBuilder::isTraining(const Loop& Other) const {
  return std::any_of(F.Backwards.begin(), F.Backwards.end(),
                     [&](const Backward& B) { return Other.Whole.contains(B.Whole); });
}

bool ChangeBuilder::checkBackwards() {
  for (const Backward& B : F.Backwards) {
    if (!L.Whole.contains(B.Whole))
      continue;
    if (B.Obstacle == "AR008")
      return refuse("AR008", B.Whole,
                    "this backward is written in a macro, which can't be edited safely",
                    "write it out");
    if (B.Obstacle == "AR009")
      return refuse(
          "AR009", B.Whole,
          "this backward is in a lambda or an OpenMP region, which may run on another thread",
          "call it in the loop itself");
    if (B.Obstacle == "AR011" || B.HasArguments)
      return refuse("AR011", B.Whole,
                    "this backward has arguments that accelerator.backward doesn't take",
                    "write it as loss.backward(), or convert the loop by hand");
    C.Backwards.push_back(&B);
  }
  return true;
}

bool ChangeBuilder::findOptimizers() {
  bool HasStep = false;
  for (const Step& S : F.Steps) {
    if (!L.Whole.contains(S.Where))
      continue;
    HasStep = true;
    if (S.HasClosure)
      return refuse("AR003", S.Where,
                    "this step evaluates a closure, which this version doesn't convert",
                    "prepare the optimizer by hand: accelerator.prepare handles closures");
    Trace::Origins From = Paths.origins(S.Optimizer);
    if (From.Lost || From.Variables.empty())
      return refuse("AR003", S.Where,
                    "the optimizer that steps here can't be followed to where it is made",
                    "name the files that make it too, or prepare it by hand");
    for (const DeclKey& Key : From.Variables) {
      const OptimizerVariable* O = optimizer(Key);
      if (!O || O->Made == OptimizerVariable::Form::Unsupported)
        return refuse("AR003", O ? O->Declarator : S.Where,
                      "the optimizer is not a local variable that is made where it is declared",
                      "declare it as `torch::optim::SGD optimizer(model->parameters(), …);` or "
                      "with std::make_unique");
      if (O->Models.empty())
        return refuse(
            "AR003", O->Declarator, "the model whose parameters this optimizer takes can't be told",
            "pass model->parameters() where the optimizer is made, or prepare it by hand");
      if (std::find(C.Optimizers.begin(), C.Optimizers.end(), O) == C.Optimizers.end())
        C.Optimizers.push_back(O);
    }
  }
  return HasStep || refuse("AR002", C.Backwards.front()->Whole,
                           "no optimizer steps in the loop of this backward",
                           "step in the loop that computes the gradients, or convert it by hand");
}

bool ChangeBuilder::findLoaders() {
  Trace::Origins From = Paths.origins(L.Loader);
  if (From.Lost || From.Variables.empty())
    return refuse("AR004", From.LostAt.valid() ? From.LostAt : L.Whole,
                  "the data loader of the training loop can't be followed to where it is made",
                  "name the files that make it too");
  for (const DeclKey& Key : From.Variables) {
    const LoaderVariable* V = loader(Key);
    if (!V || !V->Callee.valid())
      return refuse("AR004", L.Whole,
                    "the data loader is not a local variable made by torch::data::make_data_loader",
                    "make it with torch::data::make_data_loader");
    if (V->Stateful || V->Sampler.find("Distributed") == 0 || V->Sampler == "StreamSampler")
      return refuse(
          "AR014", V->NameSpan,
          V->Stateful ? "the data set keeps its own state, so its batches can't be divided by index"
                      : "its sampler (" + V->Sampler + ") can't be divided",
          "use RandomSampler or SequentialSampler");
    C.TrainingLoaders.push_back(V);
  }
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
    bool Provable = V.Callee.valid() && !V.Stateful;
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
    Homes.insert(V->Function);
  std::vector<FunctionKey> Work(Homes.begin(), Homes.end());
  Work.push_back(L.Function);
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
    const SourceFile& File = F.Files.at(Owner.Body.File);
    if (File.NameTaken.valid())
      return refuse("AR007", File.NameTaken,
                    "the name `" + F.text(File.NameTaken) +
                        "` is taken, which the rewritten code needs",
                    "rename it");
    for (const Undescribed& U : F.Undescribeds)
      if (U.Code == "AR010" && U.Where.File == File.Path)
        return refuse("AR010", U.Where, U.Message, U.Remedy);
  }
  return true;
}

} // namespace accel_rewrite
