//===- Include.cpp - #include <accel/accel.h> -----------------------------===//
#include "rules/Rules.h"

namespace accel_rewrite {

void includeRule(const Facts& F, const Change& C, EditList& Out) {
  std::set<std::string> Files;
  for (const auto& [Key, Source] : C.Functions) {
    Files.insert(F.Functions.at(Key).Body.File);
    if (Source.Param)
      for (const Span& Declaration : Source.Param->Declarations)
        Files.insert(Declaration.File);
  }
  for (const auto* Loaders : {&C.TrainingLoaders, &C.EvaluationLoaders})
    for (const LoaderVariable* V : *Loaders)
      Files.insert(V->Callee.File);
  for (const OptimizerVariable* O : C.Optimizers)
    Files.insert(O->Initializer.File);
  for (const OptimizerHolder* H : C.OptimizerHolders)
    for (const Span& Type : H->Types)
      Files.insert(Type.File);
  for (const Change::LateModel& Model : C.LateModels)
    Files.insert(Model.Before.File);
  for (const DeviceValue* V : C.DeviceValues)
    Files.insert(V->Where.File);
  for (const DeviceVariable* D : C.KeptVariables)
    Files.insert(D->Declaration.File);
  for (const std::string& Path : Files)
    if (const SourceFile& File = F.Files.at(Path); !File.IncludesAccel)
      Out.insert(Path, File.IncludeOffset, std::string(NewInclude) + "\n");
}

} // namespace accel_rewrite
