//===- Placing.cpp - What happens to each .to(device) ---------------------===//
#include "plan/ChangeBuilder.h"

#include <algorithm>

namespace accel_rewrite {

/// Whether every loader behind the loop is one of \p Loaders, which are prepared, and its derived
/// type reaches the loop: then the batches are on the device already.
bool ChangeBuilder::keepsType(const Loop& Reader,
                              const std::vector<const LoaderVariable*>& Loaders) const {
  Trace::Origins From = Paths.origins(Reader.Loader);
  if (From.Lost || !From.Deduced || !Reader.LoaderTypeDeduced)
    return false;
  return std::all_of(From.Variables.begin(), From.Variables.end(), [&](const DeclKey& Key) {
    return std::any_of(Loaders.begin(), Loaders.end(),
                       [&](const LoaderVariable* V) { return V->Key == Key && V->TypeDeduced; });
  });
}

void ChangeBuilder::findPlacements() {
  if (C.Form == PlacementForm::Device)
    return; // All stay.
  std::vector<const Loop*> Moved;
  if (R.Training && keepsType(*R.Training, C.TrainingLoaders))
    Moved.push_back(R.Training);
  for (const Loop* Reader : C.EvaluationLoops)
    if (keepsType(*Reader, C.EvaluationLoaders))
      Moved.push_back(Reader);
  for (const Placement& P : F.Placements) {
    bool OurDevice = P.Device.empty() || C.isItsDevice(P.Device);
    if (!Involved.count(P.Function) || !OurDevice)
      continue;
    if (P.OnModule && P.OnlyArgument && P.Statement.valid())
      C.ModelPlacements.push_back(&P);
    bool OnBatch = std::any_of(Moved.begin(), Moved.end(), [&](const Loop* Reader) {
      return Reader->Whole.contains(P.Whole) && Reader->Batch == P.Root;
    });
    if (!P.OnModule && OnBatch && (P.OnlyArgument || P.ToConversion.valid()))
      C.BatchPlacements.push_back(&P);
  }
}

/// Where a member of the class that holds \p O can prepare its model before it trains; nowhere if
/// training is no member of it.
Span ChangeBuilder::placeInTraining(const OptimizerVariable& O) const {
  const FunctionKey& Key = C.Backwards.front()->Function;
  auto It = C.Functions.find(Key);
  if (O.Class.empty() || Key.compare(0, O.Class.size() + 3, O.Class + "@F@") != 0 ||
      It == C.Functions.end())
    return {};
  if (It->second.Before.valid())
    return It->second.Before;
  for (const Span& S : F.Functions.at(Key).Statements)
    if (S.valid() && S.Begin > It->second.VisibleFrom)
      return S;
  return {};
}

/// An optimizer that a constructor's initialisers or a class make has no block around it: its model
/// is prepared in the constructor's body, or before training. That moves it in place.
void ChangeBuilder::prepareLate(const OptimizerVariable& O, const std::string& Model) {
  Span Before = placeInTraining(O);
  if (auto It = F.Functions.find(O.Function); It != F.Functions.end()) {
    const Function& Constructor = It->second;
    Before = Constructor.Body;
    Before.End = Before.Begin;
    if (!Constructor.Statements.empty())
      Before = Constructor.Statements.front();
  }
  if (!Before.valid()) {
    C.UnnamedModels.push_back(&O);
    return;
  }
  for (const Change::LateModel& Known : C.LateModels)
    if (Known.Text == Model && Known.Before == Before)
      return;
  FunctionKey Key = O.Function.empty() ? C.Backwards.front()->Function : O.Function;
  auto Source = C.Functions.find(Key);
  C.LateModels.push_back(
      {Model, Before, Source != C.Functions.end() && Source->second.VisibleFrom <= Before.Begin});
}

/// Whether \p Model is prepared for another optimizer that is made earlier on every way to this
/// one.
bool ChangeBuilder::isPreparedBefore(const OptimizerVariable& O, const std::string& Model) const {
  for (const auto& [Other, Texts] : C.UnplacedModels)
    if (Other != &O && Other->Function == O.Function && Other->Inline == O.Inline &&
        Other->Block.contains(O.Statement) && Other->Statement.Begin <= O.Statement.Begin &&
        std::find(Texts.begin(), Texts.end(), Model) != Texts.end())
      return true;
  auto Owner = F.Functions.find(O.Function);
  return std::any_of(C.LateModels.begin(), C.LateModels.end(), [&](const Change::LateModel& Late) {
    return Late.Text == Model && Owner != F.Functions.end() &&
           Owner->second.Body.contains(Late.Before) && Late.Before.Begin <= O.Statement.Begin;
  });
}

/// Every model that an optimizer updates is prepared before the optimizer takes its parameters.
void ChangeBuilder::findUnplacedModels() {
  // First those that a constructor makes before its body, then in the order of the source.
  std::stable_sort(C.Optimizers.begin(), C.Optimizers.end(),
                   [](const OptimizerVariable* A, const OptimizerVariable* B) {
                     return std::tie(A->Statement.File, A->Statement.Begin) <
                            std::tie(B->Statement.File, B->Statement.Begin);
                   });
  for (const OptimizerVariable* O : C.Optimizers) {
    if (O->Models.empty() || O->HasUnnamedModel)
      C.UnnamedModels.push_back(O);
    for (const OptimizerVariable::Source& Model : O->Models) {
      auto IsPlaced = [&](const Placement* P) {
        if (P->Root == Model.Root && P->Function == O->Function && O->Statement.valid())
          return P->Statement.Begin < O->Statement.Begin;
        // A member that is placed in a constructor or another function of the class, or a parameter
        // whose variable was placed by the caller.
        return P->Root == Model.Root || (Paths.parameter(Model.Root).Owner &&
                                         Paths.origins(Model.Root).Variables.count(P->Root) > 0);
      };
      if (std::any_of(C.ModelPlacements.begin(), C.ModelPlacements.end(), IsPlaced))
        continue;
      if (!O->Statement.valid()) {
        prepareLate(*O, Model.Text);
        continue;
      }
      if (!isPreparedBefore(*O, Model.Text)) {
        auto& Texts = C.UnplacedModels[O];
        if (std::find(Texts.begin(), Texts.end(), Model.Text) == Texts.end())
          Texts.push_back(Model.Text);
      }
      auto IsLate = [&](const Placement* P) {
        return P->Function == O->Function && P->Root == Model.Root;
      };
      for (auto It = C.ModelPlacements.begin(); It != C.ModelPlacements.end();)
        if (IsLate(*It)) {
          C.LatePlacements.push_back(*It);
          It = C.ModelPlacements.erase(It);
        } else {
          ++It;
        }
    }
  }
}

} // namespace accel_rewrite
