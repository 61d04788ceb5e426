#include "project/Inputs.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>

namespace accel_rewrite {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static bool isSource(llvm::StringRef File) {
  return llvm::StringSwitch<bool>(path::extension(File))
      .Cases(".cpp", ".cc", ".cxx", ".c++", ".C", true)
      .Default(false);
}

static void addFolder(const std::string& Folder, Inputs& Out) {
  std::error_code EC;
  for (fs::recursive_directory_iterator It(Folder, EC), End; It != End && !EC; It.increment(EC)) {
    llvm::StringRef Name = path::filename(It->path());
    bool IsFolder = It->type() == fs::file_type::directory_file;
    if (IsFolder && (Name.starts_with(".") || fs::exists(It->path() + "/CMakeCache.txt")))
      It.no_push();
    else if (!IsFolder && isSource(Name))
      Out.Files.push_back(It->path());
  }
  if (EC)
    Out.Error = "can't read the folder " + Folder + ": " + EC.message();
}

static std::string commonFolder(const std::vector<std::string>& Files) {
  if (Files.empty())
    return {};
  llvm::StringRef Common = path::parent_path(Files.front());
  for (const std::string& File : Files)
    while (Common != "/" && !llvm::StringRef(File).starts_with((Common + "/").str()))
      Common = path::parent_path(Common);
  return Common.str();
}

Inputs resolveInputs(const std::vector<std::string>& Names) {
  Inputs Out;
  for (const std::string& Name : Names) {
    llvm::SmallString<256> Real;
    if (std::error_code EC = fs::real_path(Name, Real)) {
      Out.Error = "can't read " + Name + ": " + EC.message();
      return Out;
    }
    if (fs::is_directory(Real))
      addFolder(std::string(Real), Out);
    else
      Out.Files.push_back(std::string(Real));
  }
  std::sort(Out.Files.begin(), Out.Files.end());
  Out.Files.erase(std::unique(Out.Files.begin(), Out.Files.end()), Out.Files.end());
  Out.CommonFolder = commonFolder(Out.Files);
  return Out;
}

static bool contains(const std::string& File, llvm::StringRef Bytes) {
  auto Buffer = llvm::MemoryBuffer::getFile(File);
  return Buffer && (*Buffer)->getBuffer().contains(Bytes);
}

bool mentionsBackward(const std::string& File) {
  return contains(File, "backward");
}

bool mayHoldTraining(const std::string& File) {
  return mentionsBackward(File) || contains(File, "#include \"");
}

} // namespace accel_rewrite
