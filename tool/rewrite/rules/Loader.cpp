//===- Loader.cpp - Loaders that give each process its share --------------===//
#include "rules/Rules.h"

namespace accel_rewrite {

void loaderRule(const Facts&, const Change& C, EditList& Out) {
  for (const LoaderVariable* V : C.TrainingLoaders)
    Out.replace(V->Callee, "accelerator.make_data_loader");
  for (const LoaderVariable* V : C.EvaluationLoaders)
    Out.replace(V->Callee, "accelerator.make_eval_data_loader");
}

} // namespace accel_rewrite
