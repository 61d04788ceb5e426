#include "Results.h"
#include "Options.h"
#include "edit/ExportFixes.h"
#include "edit/UnifiedDiff.h"
#include "edit/Write.h"
#include "project/Setup.h"
#include "report/JsonReport.h"
#include "report/Report.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

namespace accel_rewrite {

/// The files for --output-dir: those named, changed or not, and the project's headers that changed.
static Failure mirror(const Options& O, const Setup& S, const Merged& Edits,
                      std::vector<NewContent>& Files) {
  std::set<std::string> Paths(S.In.Files.begin(), S.In.Files.end());
  for (const auto& [Path, List] : Edits.Files)
    Paths.insert(Path);
  for (const std::string& Path : Paths) {
    std::string Relative = shown(Path, S.Root);
    if (Relative == Path)
      return {Usage, shown(Path, S.Here) + " is not below the root " + S.Root +
                         ": name a folder that holds it with --root"};
    auto Text = llvm::MemoryBuffer::getFile(Path);
    if (!Text)
      return {Usage, "can't read " + Path + ": " + Text.getError().message()};
    auto List = Edits.Files.find(Path);
    std::string Old = (*Text)->getBuffer().str();
    Files.push_back({O.OutputDir + "/" + Relative,
                     List == Edits.Files.end() ? Old : applyEdits(Old, List->second), false, ""});
  }
  return {};
}

Failure deliver(const Options& O, const Setup& S, const Facts& F, const Merged& Edits,
                llvm::raw_ostream& Out, llvm::raw_ostream& Err) {
  std::vector<NewContent> Files;
  for (const auto& [Path, List] : Edits.Files) {
    const std::string& Text = F.Files.at(Path).Text;
    if (O.InPlace)
      Files.push_back({Path, applyEdits(Text, List), true, Text});
    else if (O.Check)
      Err << shown(Path, S.Here) << " would change\n";
    else if (O.OutputDir.empty() && O.FixesFile.empty())
      Out << unifiedDiff(shown(Path, S.Root), Text, List);
  }
  if (!O.OutputDir.empty())
    if (Failure Failed = mirror(O, S, Edits, Files); Failed.Code)
      return Failed;
  if (!O.FixesFile.empty())
    Files.push_back({O.FixesFile, exportFixes(Edits), false, ""});
  Out.flush();
  if (std::string Error = writeAll(Files); !Error.empty())
    return {WriteError, Error};
  return {};
}

std::string writeReport(const Options& O, const Outcome& Result) {
  if (O.ReportFile.empty())
    return "";
  bool IsSarif = llvm::StringRef(O.ReportFile).ends_with(".sarif");
  return writeAll({{O.ReportFile, IsSarif ? sarifReport(Result) : jsonReport(Result), false, ""}});
}

} // namespace accel_rewrite
