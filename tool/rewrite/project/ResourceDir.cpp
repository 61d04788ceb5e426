#include "project/ResourceDir.h"
#include "project/Command.h"

#include "clang/Basic/Version.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace accel_rewrite {

static std::string askClang() {
  std::string Folder =
      outputOf("clang-" CLANG_VERSION_MAJOR_STRING, {"-print-resource-dir"}).value_or("");
  return llvm::StringRef(Folder).trim().str();
}

std::string findResourceDir(const std::string& Wanted, std::string& Tried) {
  auto Fits = [&](const std::string& Folder) {
    if (Folder.empty())
      return false;
    Tried += "\n  " + Folder;
    return llvm::sys::fs::exists(Folder + "/include/stddef.h");
  };
  if (!Wanted.empty())
    return Fits(Wanted) ? Wanted : std::string();
  std::string Self = llvm::sys::fs::getMainExecutable(nullptr, reinterpret_cast<void*>(&askClang));
  std::string Prefix = llvm::sys::path::parent_path(llvm::sys::path::parent_path(Self)).str();
  // As installed: bin/accel-rewrite and LIBDIR/accel/clang/19 (LIBDIR differs between systems).
  for (const char* LibDir : {ACCEL_INSTALL_LIBDIR, "lib", "lib64"})
    if (std::string Folder = Prefix + "/" + LibDir + "/accel/clang/" CLANG_VERSION_MAJOR_STRING;
        Fits(Folder))
      return Folder;
  if (Fits(ACCEL_CLANG_RESOURCE_DIR))
    return ACCEL_CLANG_RESOURCE_DIR;
  std::string Asked = askClang();
  return Fits(Asked) ? Asked : std::string();
}

} // namespace accel_rewrite
