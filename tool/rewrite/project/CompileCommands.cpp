#include "project/CompileCommands.h"

#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace accel_rewrite {

namespace path = llvm::sys::path;
using namespace clang::tooling;

/// How to make compile commands, for what builds \p File: what is found above it comes first.
static std::string howToMakeThem(llvm::StringRef File) {
  const std::string CMake =
                        "\n  with CMake: cmake -S . -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, "
                        "then accel-rewrite -p build FILE…",
                    Make = "\n  with make:  bear -- make, then accel-rewrite -p . FILE…",
                    Flags = "\n  or give the flags yourself: accel-rewrite FILE… -- -std=c++17 -I…";
  for (llvm::StringRef Folder = path::parent_path(File); !Folder.empty();
       Folder = path::parent_path(Folder)) {
    auto Has = [&](const char* Name) { return llvm::sys::fs::exists(Folder + "/" + Name); };
    if (Has("CMakeLists.txt"))
      return CMake + Flags;
    if (Has("Makefile") || Has("makefile") || Has("GNUmakefile"))
      return Make + Flags;
  }
  return CMake + Make + Flags;
}

/// The flags of the libtorch that the tool was built with; none where it was built without.
static std::vector<std::string> libtorchFlags() {
  llvm::SmallVector<llvm::StringRef> Parts;
  llvm::StringRef(ACCEL_TORCH_FLAGS).split(Parts, '|', -1, /*KeepEmpty=*/false);
  return {Parts.begin(), Parts.end()};
}

static std::unique_ptr<CompilationDatabase> fixed(const std::vector<std::string>& Flags) {
  llvm::SmallString<256> Here;
  static_cast<void>(llvm::sys::fs::current_path(Here));
  return std::make_unique<FixedCompilationDatabase>(Here, Flags);
}

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
    Result->Database = fixed(Flags);
    Result->Origin = "the flags behind --";
    return Result;
  }
  std::string Where = Folder.empty() ? searchAbove(File) : Folder;
  if (Where.empty()) {
    std::vector<std::string> Builtin = libtorchFlags();
    if (Builtin.empty()) {
      Error =
          "no compile_commands.json in a build folder at or above " + File + howToMakeThem(File);
      return nullptr;
    }
    Result->Database = fixed(Builtin);
    Result->Origin = "no compile_commands.json in a build folder at or above " + File +
                     ": the flags of the libtorch " ACCEL_TORCH_VERSION
                     " that this tool was built with stand in for them";
    Result->Remedy = howToMakeThem(File);
    return Result;
  }
  std::string Path =
      path::filename(Where) == "compile_commands.json" ? Where : Where + "/compile_commands.json";
  if (!llvm::sys::fs::exists(Path)) {
    Error = "there is no " + Path + howToMakeThem(File);
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
