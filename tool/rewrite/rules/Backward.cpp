//===- Backward.cpp - loss.backward() becomes accelerator.backward(loss) --===//
#include "rules/Rules.h"

namespace accel_rewrite {

/// What a sum has behind its arguments: those of backward that the source left out, and its form.
static std::string sumSuffix(const Backward& B, bool KeepsArguments) {
  if (!KeepsArguments)
    return ", accel::Sum)";
  static const char* const Defaults[] = {"", ", torch::nullopt", ", false"};
  std::string Text;
  for (size_t I = B.Arguments.size(); I < 3; ++I)
    Text += Defaults[I];
  return Text + ", accel::Sum)";
}

void backwardRule(const Facts&, const Change& C, EditList& Out) {
  for (const Backward* B : C.Backwards) {
    Span Before = B->Whole, After = B->Whole;
    Before.End = B->Object.Begin;
    After.Begin = B->Object.End;
    Out.replace(Before, "accelerator.backward(");
    // A lone `{}` could be taken for any of backward's parameters.
    bool KeepsArguments = !B->Arguments.empty() && !(B->EmptyGradient && B->Arguments.size() == 1);
    std::string Close = B->Form == LossForm::Sum ? sumSuffix(*B, KeepsArguments) : ")";
    if (KeepsArguments) {
      After.End = B->Arguments.front().Begin;
      Out.replace(After, ", ");
      After = B->Whole;
      After.Begin = B->Whole.End - 1;
    }
    if (!KeepsArguments || Close != ")")
      Out.replace(After, Close);
  }
}

} // namespace accel_rewrite
