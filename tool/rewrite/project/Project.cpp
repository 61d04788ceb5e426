#include "project/Project.h"

#include "clang/Basic/SourceManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace accel_rewrite {

static bool isBelow(llvm::StringRef Path, llvm::StringRef Folder) {
  return Path.consume_front(Folder) && (Folder.ends_with("/") || Path.starts_with("/"));
}

std::string Project::fileOf(const SourceManager& SM, SourceLocation Loc) const {
  Loc = SM.getExpansionLoc(Loc);
  if (Loc.isInvalid())
    return {};
  FileID File = SM.getFileID(Loc);
  OptionalFileEntryRef Entry = SM.getFileEntryRefForID(File);
  if (!Entry)
    return {};
  llvm::StringRef Real = Entry->getFileEntry().tryGetRealPathName();
  if (Real.empty())
    Real = Entry->getName();
  llvm::SmallString<256> Path;
  if (llvm::sys::fs::real_path(Real, Path))
    Path = Real;
  if (File == SM.getMainFileID())
    return std::string(Path);
  bool System = SrcMgr::isSystem(SM.getFileCharacteristic(Loc));
  return !System && isBelow(Path, Root) ? std::string(Path) : std::string();
}

bool Project::owns(const SourceManager& SM, SourceLocation Loc) const {
  return !fileOf(SM, Loc).empty();
}

} // namespace accel_rewrite
