#include "project/Setup.h"
#include "Options.h"
#include "project/ResourceDir.h"
#include "project/Staged.h"
#include "report/Report.h"

#include "llvm/Support/FileSystem.h"

#include <algorithm>

namespace accel_rewrite {

static std::string currentFolder() {
  llvm::SmallString<256> Folder, Real;
  static_cast<void>(llvm::sys::fs::current_path(Folder));
  return std::string(llvm::sys::fs::real_path(Folder, Real) ? Folder : Real);
}

static std::string realFolder(const std::string& Folder) {
  llvm::SmallString<256> Real;
  return llvm::sys::fs::real_path(Folder, Real) ? std::string() : std::string(Real);
}

Setup::Setup(const Options& O) : Here(currentFolder()), Error(resolve(O)) {}

std::string Setup::resolve(const Options& O) {
  In = resolveInputs(O.Names);
  if (!In.Error.empty())
    return In.Error;
  if (In.Files.empty())
    return "there are no C++ sources in what was named";
  bool BelowHere = shown(In.CommonFolder + "/", Here) != In.CommonFolder + "/";
  Root = !O.Root.empty() ? realFolder(O.Root) : BelowHere ? Here : In.CommonFolder;
  if (Root.empty())
    return "can't read the folder " + O.Root;
  if (O.StagedOnly) {
    if (std::string Problem = findStaged(); !Problem.empty())
      return Problem;
    if (Staged && Staged->empty())
      return "";
  }
  bool Named = !O.BuildFolder.empty() || O.HasFlags;
  if (!Named && std::none_of(In.Files.begin(), In.Files.end(), mayHoldTraining))
    return "";
  std::string Reason;
  Commands = CompileCommands::find(O.BuildFolder, O.HasFlags, O.Flags, In.Files.front(), Reason);
  if (!Commands)
    return Reason;
  std::string Tried;
  ResourceDir = findResourceDir(O.ResourceDir, Tried);
  if (ResourceDir.empty())
    return "clang's own headers (include/stddef.h) are in none of" + Tried +
           "\ninstall libclang-common-19-dev, or name the folder with --resource-dir";
  return "";
}

std::string Setup::findStaged() {
  StagedFiles Found = stagedFiles(Root);
  if (!Found.Error.empty())
    return Found.Error;
  for (const std::string& File : In.Files)
    if (Found.Partly.count(File))
      return shown(File, Here) + " is staged in part, so what would be committed is not what it " +
             "holds: stage all of it, or put the rest aside with git stash -k";
  Staged = std::move(Found.Whole);
  return "";
}

} // namespace accel_rewrite
