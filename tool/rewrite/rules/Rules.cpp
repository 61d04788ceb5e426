#include "rules/Rules.h"

#include <algorithm>

namespace accel_rewrite {

const std::vector<Rule>& allRules() {
  static const std::vector<Rule> All = {
      {"include", "#include <accel/accel.h>", true, includeRule},
      {"device", "the device gives way to an accelerator", true, deviceRule},
      {"model", "accelerator.prepare(model)", true, modelRule},
      {"optimizer", "accelerator.prepare(optimizer)", true, optimizerRule},
      {"loader", "accelerator.make_data_loader, which divides the batches", true, loaderRule},
      {"shard", "accelerator.shard takes the process's rows of a batch made by hand", true,
       shardRule},
      {"batch", "batches arrive on the device, so their .to(device) goes", true, batchRule},
      {"backward", "accelerator.backward(loss)", true, backwardRule},
      {"clip", "accelerator.clip_grad_norm_ and clip_grad_value_", false, clipRule},
      {"reads", "numbers that are printed or added up cover all processes: mean, share, reduce",
       false, batchReadRule},
      {"evaluation", "loops that only add up share their data: make_eval_data_loader, reduce",
       false, evaluationRule},
      {"output", "the main process prints: accelerator.cout(), accelerator.printf", false,
       outputRule},
      {"save", "the main process saves: accelerator.save", false, saveRule},
      {"capture", "lambdas capture the accelerator that they name", true, captureRule},
  };
  return All;
}

EditList editsOf(const Facts& F, const Change& C, const How& Chosen) {
  EditList Out(F);
  for (const Rule& R : allRules())
    if (Chosen.applies(R.Name))
      R.Apply(F, C, Out);
  return Out;
}

bool isInDeviceSetup(const Change& C, const Span& Where) {
  return std::any_of(C.Devices.begin(), C.Devices.end(), [&](const DeviceVariable* D) {
    return std::any_of(D->Setup.begin(), D->Setup.end(),
                       [&](const Span& S) { return S.contains(Where); });
  });
}

bool seesAccelerator(const Change& C, const FunctionKey& Function, const Span& Where) {
  auto It = C.Functions.find(Function);
  return It != C.Functions.end() && Where.Begin >= It->second.VisibleFrom &&
         !isInDeviceSetup(C, Where);
}

} // namespace accel_rewrite
