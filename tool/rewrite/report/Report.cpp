#include "report/Report.h"

#include <algorithm>

namespace accel_rewrite {

std::string shown(const std::string& Path, const std::string& Folder) {
  std::string Prefix = Folder == "/" ? Folder : Folder + "/";
  return Path.compare(0, Prefix.size(), Prefix) == 0 ? Path.substr(Prefix.size()) : Path;
}

std::vector<Diagnostic> inOrder(std::vector<Diagnostic> Diagnostics) {
  auto Place = [](const Diagnostic& D) { return std::tie(D.Where.File, D.Where.Begin); };
  auto Words = [](const Diagnostic& D) { return std::tie(D.Code, D.Message, D.Remedy); };
  std::stable_sort(Diagnostics.begin(), Diagnostics.end(),
                   [&](const Diagnostic& A, const Diagnostic& B) { return Place(A) < Place(B); });
  auto Last = std::unique(Diagnostics.begin(), Diagnostics.end(),
                          [&](const Diagnostic& A, const Diagnostic& B) {
                            return Place(A) == Place(B) && Words(A) == Words(B);
                          });
  Diagnostics.erase(Last, Diagnostics.end());
  return Diagnostics;
}

std::string render(std::vector<Diagnostic> Diagnostics, const std::string& Folder) {
  std::string Out;
  for (const Diagnostic& D : inOrder(std::move(Diagnostics)))
    Out += shown(D.Where.File, Folder) + ":" + std::to_string(D.Where.Line) + ":" +
           std::to_string(D.Where.Column) + ": " +
           (D.isRefusal() ? "warning: not converted: " : "note: ") + D.Message +
           (D.Remedy.empty() ? "" : "; " + D.Remedy) + " [" + D.Code + "]\n";
  return Out;
}

} // namespace accel_rewrite
