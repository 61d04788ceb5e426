//===- Rules.h - The rules of the rewriting, one a file -------------------===//
//
// A rule writes the edits of its kind for one change. It decides nothing: the
// plan has. Adding a rule is a file here, a line in Rules.cpp, its test and
// its line in docs/user-guide.md.
//
//===----------------------------------------------------------------------===//
#ifndef ACCEL_REWRITE_RULES_RULES_H
#define ACCEL_REWRITE_RULES_RULES_H

#include "edit/Edit.h"
#include "plan/Plan.h"

namespace accel_rewrite {

void includeRule(const Facts& F, const Change& C, EditList& Out);
void deviceRule(const Facts& F, const Change& C, EditList& Out);
void modelRule(const Facts& F, const Change& C, EditList& Out);
void optimizerRule(const Facts& F, const Change& C, EditList& Out);
void loaderRule(const Facts& F, const Change& C, EditList& Out);
void batchRule(const Facts& F, const Change& C, EditList& Out);
void shardRule(const Facts& F, const Change& C, EditList& Out);
void backwardRule(const Facts& F, const Change& C, EditList& Out);
void clipRule(const Facts& F, const Change& C, EditList& Out);
void batchReadRule(const Facts& F, const Change& C, EditList& Out);
void evaluationRule(const Facts& F, const Change& C, EditList& Out);
void outputRule(const Facts& F, const Change& C, EditList& Out);
void saveRule(const Facts& F, const Change& C, EditList& Out);
/// Comes last: it looks at what the others wrote.
void captureRule(const Facts& F, const Change& C, EditList& Out);

/// A rule as `--list-rules` shows it.
struct Rule {
  std::string Name;
  std::string Description;
  /// A loop without it would be half converted, so it can't be left out.
  bool Mandatory;
  void (*Apply)(const Facts& F, const Change& C, EditList& Out);
};

/// All rules, in an order that suits insertions at one place.
const std::vector<Rule>& allRules();

/// The edits of \p C by all rules but those that \p Chosen leaves out.
EditList editsOf(const Facts& F, const Change& C, const How& Chosen);

/// Whether \p Where goes with the statements that chose the device.
bool isInDeviceSetup(const Change& C, const Span& Where);
/// Whether code at \p Where, in \p Function, can name the accelerator.
bool seesAccelerator(const Change& C, const FunctionKey& Function, const Span& Where);

} // namespace accel_rewrite

#endif
