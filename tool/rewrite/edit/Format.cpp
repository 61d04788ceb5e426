#include "edit/Format.h"
#include "edit/Merge.h"

#include "clang/Tooling/Inclusions/HeaderIncludes.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <algorithm>

using namespace clang;
using tooling::Replacement;
using tooling::Replacements;

namespace accel_rewrite {

std::optional<format::FormatStyle> styleFor(const std::string& Path, const std::string& Text) {
  llvm::Expected<format::FormatStyle> Style =
      format::getStyle("file", Path, /*FallbackStyle=*/"none", Text,
                       llvm::vfs::getRealFileSystem().get(), /*AllowUnknownOptions=*/true);
  if (!Style) {
    llvm::consumeError(Style.takeError());
    return std::nullopt;
  }
  if (Style->DisableFormat)
    return std::nullopt;
  Style->LineEnding = format::FormatStyle::LE_DeriveLF; // The file's own stay.
  return *Style;
}

/// Moves the new include to where it sorts, if that is beside an include which every configuration
/// has.
static void sortInclude(const SourceFile& File, std::vector<Edit>& Edits,
                        const format::FormatStyle& Style) {
  auto New = std::find_if(Edits.begin(), Edits.end(), [](const Edit& E) {
    return E.Begin == E.End && llvm::StringRef(E.Text).starts_with(NewInclude);
  });
  if (New == Edits.end() || Style.SortIncludes == format::FormatStyle::SI_Never)
    return;
  tooling::HeaderIncludes Includes(File.Path, File.Text, Style.IncludeStyle);
  std::optional<Replacement> Sorted =
      Includes.insert("accel/accel.h", /*IsAngled=*/true, tooling::IncludeDirective::Include);
  if (!Sorted ||
      !std::count(File.IncludePlaces.begin(), File.IncludePlaces.end(), Sorted->getOffset()))
    return;
  New->Begin = New->End = Sorted->getOffset();
  std::stable_sort(Edits.begin(), Edits.end(),
                   [](const Edit& A, const Edit& B) { return A.Begin < B.Begin; });
}

/// Edits that touch each other as one.
static Replacements asReplacements(const std::string& Path, const std::vector<Edit>& Edits) {
  std::vector<Edit> Joined;
  for (const Edit& E : Edits) {
    if (Joined.empty() || Joined.back().End < E.Begin) {
      Joined.push_back(E);
      continue;
    }
    Joined.back().End = E.End;
    Joined.back().Text += E.Text;
  }
  Replacements Result;
  for (const Edit& E : Joined)
    llvm::cantFail(Result.add(Replacement(Path, E.Begin, E.End - E.Begin, E.Text)));
  return Result;
}

/// The changed parts of the new text, without white space at their ends; what was only removed,
/// with its line, leaves none.
static std::vector<tooling::Range> changedRanges(const std::string& New,
                                                 const Replacements& Edits) {
  std::vector<tooling::Range> Result;
  for (const tooling::Range& R : Edits.getAffectedRanges()) {
    unsigned Begin = R.getOffset(), End = Begin + R.getLength();
    bool AtLine = Begin == 0 || New[Begin - 1] == '\n';
    while (Begin < End && isspace(static_cast<unsigned char>(New[Begin])))
      ++Begin;
    while (Begin < End && isspace(static_cast<unsigned char>(New[End - 1])))
      --End;
    if (Begin < End || !AtLine)
      Result.emplace_back(Begin, End - Begin);
  }
  return Result;
}

std::vector<Edit> formatted(const SourceFile& File, std::vector<Edit> Edits,
                            const format::FormatStyle& Style) {
  sortInclude(File, Edits, Style);
  Replacements All = asReplacements(File.Path, Edits);
  std::string New = applyEdits(File.Text, Edits);
  format::FormattingAttemptStatus Status;
  Replacements Layout = format::reformat(Style, New, changedRanges(New, All), File.Path, &Status);
  if (!Status.FormatComplete)
    return Edits;
  std::vector<Edit> Result;
  for (const Replacement& R : All.merge(Layout))
    Result.push_back(
        {File.Path, R.getOffset(), R.getOffset() + R.getLength(), R.getReplacementText().str()});
  return withLineEndings(File.Text, std::move(Result));
}

} // namespace accel_rewrite
