#include "report/Report.h"

#include <algorithm>

namespace accel_rewrite {

std::string shown(const std::string& Path, const std::string& Folder) {
  std::string Prefix = Folder == "/" ? Folder : Folder + "/";
  return Path.compare(0, Prefix.size(), Prefix) == 0 ? Path.substr(Prefix.size()) : Path;
}

std::string render(std::vector<Diagnostic> Diagnostics, const std::string& Folder) {
  std::stable_sort(
      Diagnostics.begin(), Diagnostics.end(), [](const Diagnostic& A, const Diagnostic& B) {
        return std::tie(A.Where.File, A.Where.Begin) < std::tie(B.Where.File, B.Where.Begin);
      });
  std::string Out, Last;
  for (const Diagnostic& D : Diagnostics) {
    std::string Line = shown(D.Where.File, Folder) + ":" + std::to_string(D.Where.Line) + ":" +
                       std::to_string(D.Where.Column) + ": " +
                       (D.isRefusal() ? "warning: not converted: " : "note: ") + D.Message +
                       (D.Remedy.empty() ? "" : "; " + D.Remedy) + " [" + D.Code + "]\n";
    if (Line != Last)
      Out += Line;
    Last = Line;
  }
  return Out;
}

} // namespace accel_rewrite
