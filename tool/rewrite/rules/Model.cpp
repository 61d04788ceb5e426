//===- Model.cpp - model->to(device) becomes accelerator.prepare(model) ---===//
#include "rules/Rules.h"

namespace accel_rewrite {

void modelRule(const Facts& F, const Change& C, EditList& Out) {
  for (const Placement* P : C.ModelPlacements)
    Out.replace(P->Whole, std::string("accelerator.prepare(") + (P->ObjectIsPointer ? "*" : "") +
                              F.text(P->Object) + ")");
  for (const Placement* P : C.LatePlacements)
    Out.removeStatement(P->Statement);
  for (const auto& [Optimizer, Models] : C.UnplacedModels)
    for (const std::string& Model : Models)
      Out.insertLineBefore(Optimizer->Statement,
                           std::string(Optimizer->Inline ? "accel::Accelerator()" : "accelerator") +
                               ".prepare(" + Model + ");");
  for (const Change::LateModel& Model : C.LateModels) {
    std::string Statement = "accel::Accelerator().prepare(" + Model.Text + ");";
    if (Model.Before.Begin == Model.Before.End)
      Out.insert(Model.Before.File, Model.Before.Begin, " " + Statement + " ");
    else
      Out.insertLineBefore(Model.Before, Statement);
  }
}

} // namespace accel_rewrite
