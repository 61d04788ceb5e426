#include "project/ResourceDir.h"

#include "clang/Basic/Version.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

namespace accel_rewrite {

static std::string askClang() {
  auto Clang = llvm::sys::findProgramByName("clang-" CLANG_VERSION_MAJOR_STRING);
  llvm::SmallString<128> Output;
  if (!Clang || llvm::sys::fs::createTemporaryFile("accel-rewrite", "txt", Output))
    return {};
  std::optional<llvm::StringRef> Redirects[] = {llvm::StringRef(), Output.str(), llvm::StringRef()};
  int Code =
      llvm::sys::ExecuteAndWait(*Clang, {*Clang, "-print-resource-dir"}, std::nullopt, Redirects);
  auto Text = llvm::MemoryBuffer::getFile(Output);
  static_cast<void>(llvm::sys::fs::remove(Output));
  return Code == 0 && Text ? (*Text)->getBuffer().trim().str() : std::string();
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
