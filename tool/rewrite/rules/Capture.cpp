//===- Capture.cpp - Lambdas capture the accelerator that they now name ---===//
#include "rules/Rules.h"

#include <algorithm>

namespace accel_rewrite {

void captureRule(const Facts& F, const Change& C, EditList& Out) {
  std::vector<const Lambda*> Naming;
  for (const Lambda& L : F.Lambdas) {
    auto Names = [&](const Edit& E) {
      return E.File == L.Whole.File && L.Introducer.End <= E.Begin && E.End <= L.Whole.End &&
             E.Text.find("accelerator") != std::string::npos &&
             E.Text.find("accel::Accelerator") == std::string::npos;
    };
    auto Declares = [&](const auto& Source) { return L.Whole.contains(Source.second.Before); };
    // In place of the device.
    auto Captures = [&](const Edit& E) {
      return E.File == L.Whole.File && L.Introducer.Begin <= E.Begin && E.End <= L.Introducer.End &&
             E.Text == "accelerator";
    };
    bool Captured = std::any_of(Out.edits().begin(), Out.edits().end(), Captures);
    if (!L.CapturesAll && !Captured && std::any_of(Out.edits().begin(), Out.edits().end(), Names) &&
        std::none_of(C.Functions.begin(), C.Functions.end(), Declares))
      Naming.push_back(&L);
  }
  for (const Lambda* L : Naming)
    Out.insert(L->Introducer.File, L->Introducer.End - 1,
               L->HasCaptures ? ", &accelerator" : "&accelerator");
}

} // namespace accel_rewrite
