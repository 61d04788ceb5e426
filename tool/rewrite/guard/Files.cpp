#include "guard/Guard.h"

#include "llvm/Support/FileSystem.h"

namespace accel_rewrite {

namespace fs = llvm::sys::fs;

/// The superuser could write it all the same; its owner said not to.
static bool isReadOnly(const std::string& Path) {
  fs::file_status Status;
  return !fs::status(Path, Status) &&
         (!(Status.permissions() & (fs::owner_write | fs::group_write | fs::others_write)) ||
          !fs::can_write(Path));
}

std::optional<Diagnostic> fileObstacle(const Facts& F, const Change& C, const EditList& Edits,
                                       bool InPlace) {
  for (const Edit& E : Edits.edits()) {
    std::string Loop = loopOf(C.Training) + " needs";
    const SourceFile& File = F.Files.at(E.File);
    if (File.Generated.valid())
      return Diagnostic{"AR022", File.Generated,
                        Loop + " a change in this file, which a program writes: the change would "
                               "be lost",
                        "change what the file is made from"};
    if (InPlace && isReadOnly(E.File))
      return Diagnostic{"AR023", F.at(E.File, E.Begin),
                        Loop + " a change here, in a file that is read-only",
                        "make it writable, or take the diff"};
  }
  return std::nullopt;
}

} // namespace accel_rewrite
