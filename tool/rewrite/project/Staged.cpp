#include "project/Staged.h"
#include "project/Command.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"

namespace accel_rewrite {

/// The real paths of what `git diff` names, relative to \p Top.
static std::set<std::string> paths(llvm::StringRef Output, const std::string& Top) {
  std::set<std::string> Result;
  while (!Output.empty()) {
    auto [Name, Rest] = Output.split('\0');
    llvm::SmallString<256> Real;
    if (!llvm::sys::fs::real_path(Top + "/" + Name, Real))
      Result.insert(std::string(Real));
    Output = Rest;
  }
  return Result;
}

StagedFiles stagedFiles(const std::string& Folder) {
  StagedFiles Result;
  auto Top = outputOf("git", {"-C", Folder, "rev-parse", "--show-toplevel"});
  auto Changed = outputOf("git", {"-C", Folder, "diff", "--name-only", "-z", "--diff-filter=d"});
  auto Staged = outputOf("git", {"-C", Folder, "diff", "--cached", "--name-only", "-z",
                                 "--no-renames", "--diff-filter=d"});
  if (!Top || !Changed || !Staged) {
    Result.Error = "--staged-only: " + Folder + " is not in a git repository, or git can't be run";
    return Result;
  }
  std::string TopFolder = llvm::StringRef(*Top).trim().str();
  std::set<std::string> Unstaged = paths(*Changed, TopFolder);
  for (const std::string& File : paths(*Staged, TopFolder))
    (Unstaged.count(File) ? Result.Partly : Result.Whole).insert(File);
  return Result;
}

} // namespace accel_rewrite
