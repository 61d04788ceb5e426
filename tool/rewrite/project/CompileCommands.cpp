#include "project/CompileCommands.h"

#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace accel_rewrite {

namespace path = llvm::sys::path;
using namespace clang::tooling;

static const char HowToMakeThem[] =
    "\n  with CMake: cmake -S . -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, then accel-rewrite -p "
    "build FILE…"
    "\n  with make:  bear -- make, then accel-rewrite -p . FILE…"
    "\n  or give the flags yourself: accel-rewrite FILE… -- -std=c++17 -I…";

/// The folder with a compile_commands.json at or above \p File: the folder itself, or a build
/// folder in it.
static std::string searchAbove(llvm::StringRef File) {
  for (llvm::StringRef Folder = path::parent_path(File); !Folder.empty();
       Folder = path::parent_path(Folder)) {
    for (const char* Build : {"", "build", "out", "_build", "cmake-build-debug",
                              "cmake-build-release", "cmake-build-relwithdebinfo"}) {
      llvm::SmallString<256> Candidate(Folder);
      path::append(Candidate, Build);
      if (llvm::sys::fs::exists(Candidate + "/compile_commands.json"))
        return std::string(Candidate);
    }
  }
  return {};
}

std::unique_ptr<CompileCommands> CompileCommands::find(const std::string& Folder, bool HasFlags,
                                                       const std::vector<std::string>& Flags,
                                                       const std::string& File,
                                                       std::string& Error) {
  auto Result = std::make_unique<CompileCommands>();
  if (HasFlags) {
    llvm::SmallString<256> Here;
    static_cast<void>(llvm::sys::fs::current_path(Here));
    Result->Database = std::make_unique<FixedCompilationDatabase>(Here, Flags);
    Result->Origin = "the flags behind --";
    return Result;
  }
  std::string Where = Folder.empty() ? searchAbove(File) : Folder;
  if (Where.empty()) {
    Error = "no compile_commands.json in a build folder at or above " + File + HowToMakeThem;
    return nullptr;
  }
  std::string Path =
      path::filename(Where) == "compile_commands.json" ? Where : Where + "/compile_commands.json";
  if (!llvm::sys::fs::exists(Path)) {
    Error = "there is no " + Path + HowToMakeThem;
    return nullptr;
  }
  Result->Database =
      JSONCompilationDatabase::loadFromFile(Path, Error, JSONCommandLineSyntax::AutoDetect);
  Result->Origin = Path;
  if (!Result->Database) {
    Error = Path + " can't be read: " + Error;
    return nullptr;
  }
  return Result;
}

std::vector<CompileCommand> CompileCommands::of(const std::string& File) const {
  return Database->getCompileCommands(File);
}

} // namespace accel_rewrite
