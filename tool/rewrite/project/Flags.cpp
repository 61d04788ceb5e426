#include "project/Flags.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

#include <algorithm>

using llvm::StringRef;

namespace accel_rewrite {

namespace {

bool isCompiler(StringRef Argument) {
  // What FixedCompilationDatabase puts before flags that were given by hand.
  if (Argument == "clang-tool")
    return true;
  if (Argument.starts_with("-"))
    return false;
  StringRef Name = llvm::sys::path::filename(Argument);
  // g++-12, x86_64-linux-gnu-g++, clang++-19
  while (!Name.empty() && (isdigit(Name.back()) || Name.back() == '-' || Name.back() == '.'))
    Name = Name.drop_back();
  return Name.ends_with("c++") || Name.ends_with("g++") || Name.ends_with("clang++") ||
         Name.ends_with("gcc") || Name.ends_with("clang") || Name == "cc" || Name.ends_with("-cc");
}

/// Flags that stand alone and are dropped.
bool isDropped(StringRef Flag) {
  if (Flag == "-c" || Flag == "-S" || Flag == "-E" || Flag == "-Winvalid-pch" ||
      Flag == "-fmodules-ts" || Flag == "-MD" || Flag == "-MMD" || Flag == "-MP" || Flag == "-M" ||
      Flag == "-MM" || Flag == "-Werror")
    return true;
  for (StringRef Prefix : {"-fmodule-mapper=",
                           "-fdeps-",
                           "-march=",
                           "-mtune=",
                           "-mcpu=",
                           "-fconcepts-diagnostics-depth=",
                           "-fmax-errors=",
                           "-fno-gnu-unique",
                           "-fvar-tracking",
                           "-fno-var-tracking",
                           "-fipa-",
                           "-fno-ipa-",
                           "-ftree-",
                           "-fno-tree-",
                           "-fsanitize=",
                           "-flto",
                           "-fuse-ld=",
                           "-fdiagnostics-",
                           "-frecord-gcc-switches",
                           "-Werror=",
                           "-O"})
    if (Flag.starts_with(Prefix))
      return true;
  return Flag.starts_with("@") && Flag.ends_with(".modmap");
}

/// Flags that are dropped with the argument that follows.
bool isDroppedWithArgument(StringRef Flag) {
  return Flag == "-o" || Flag == "-MF" || Flag == "-MT" || Flag == "-MQ" ||
         Flag == "-x-dependency-file";
}

} // namespace

std::vector<std::string> parseFlags(const std::vector<std::string>& Command,
                                    const std::string& ResourceDir,
                                    const std::vector<std::string>& Extra,
                                    const std::vector<std::string>& Removed) {
  size_t Begin = 0;
  while (Begin + 1 < Command.size() && !isCompiler(Command[Begin]))
    ++Begin;
  if (Begin + 1 >= Command.size())
    Begin = 0;
  std::vector<std::string> Out = {"clang++"};
  for (size_t I = Begin + 1; I < Command.size(); ++I) {
    StringRef Flag = Command[I];
    if (std::find(Removed.begin(), Removed.end(), Flag) != Removed.end())
      continue;
    if (isDroppedWithArgument(Flag)) {
      ++I;
    } else if (Flag == "-include" && I + 1 < Command.size()) {
      // The driver would take a GCC's .gch that lies beside the header; the compiler proper takes
      // the header.
      Out.insert(Out.end(), {"-Xclang", "-include", "-Xclang", Command[++I]});
    } else if (!isDropped(Flag) && !(Flag.starts_with("-o") && Flag.size() > 2)) {
      Out.push_back(Command[I]);
    }
  }
  // Before the inputs, so that a `--` in the command doesn't swallow them.
  std::vector<std::string> Ours = {"-resource-dir", ResourceDir, "-fsyntax-only", "-w",
                                   "-Wno-error"};
  Ours.insert(Ours.end(), Extra.begin(), Extra.end());
  Out.insert(Out.begin() + 1, Ours.begin(), Ours.end());
  return Out;
}

} // namespace accel_rewrite
