#include "edit/ExportFixes.h"

#include "clang/Tooling/ReplacementsYaml.h"
#include "llvm/Support/YAMLTraits.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace accel_rewrite {

/// Edits that touch, as one: of two insertions at one place clang-apply-replacements would not know
/// which comes first.
static std::vector<Edit> joined(const std::vector<Edit>& Edits) {
  std::vector<Edit> Result;
  for (const Edit& E : Edits)
    if (!Result.empty() && Result.back().End == E.Begin) {
      Result.back().End = E.End;
      Result.back().Text += E.Text;
    } else {
      Result.push_back(E);
    }
  return Result;
}

std::string exportFixes(const Merged& Edits) {
  clang::tooling::TranslationUnitReplacements All;
  for (const auto& [Path, List] : Edits.Files) {
    if (All.MainSourceFile.empty())
      All.MainSourceFile = Path;
    for (const Edit& E : joined(List))
      All.Replacements.emplace_back(Path, E.Begin, E.End - E.Begin, E.Text);
  }
  std::string Text;
  llvm::raw_string_ostream Stream(Text);
  llvm::yaml::Output Yaml(Stream);
  Yaml << All;
  return Text;
}

} // namespace accel_rewrite
