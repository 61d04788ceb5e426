//===- Loader.cpp - Loaders that give each process its share --------------===//
#include "rules/Rules.h"

namespace accel_rewrite {

/// The accelerator in a function's body; elsewhere (in a constructor's initialisers) a handle.
static std::string accelerator(const Change& C, const LoaderVariable& V) {
  return seesAccelerator(C, V.Function, V.Callee) ? "accelerator" : "accel::Accelerator()";
}

void loaderRule(const Facts&, const Change& C, EditList& Out) {
  for (const LoaderVariable* V : C.TrainingLoaders)
    Out.replace(V->Callee, accelerator(C, *V) + ".make_data_loader");
  for (const LoaderVariable* V : C.EvaluationLoaders)
    Out.replace(V->Callee, accelerator(C, *V) + ".make_eval_data_loader");
}

} // namespace accel_rewrite
