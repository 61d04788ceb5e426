//===- CompileCommands.h - How each file is compiled ----------------------===//
#ifndef ACCEL_REWRITE_PROJECT_COMPILECOMMANDS_H
#define ACCEL_REWRITE_PROJECT_COMPILECOMMANDS_H

#include "clang/Tooling/CompilationDatabase.h"

#include <memory>
#include <string>
#include <vector>

namespace accel_rewrite {

/// Compile commands from one place: flags behind `--`, a folder that was named, a build folder
/// found near the files, or else the flags of the libtorch that the tool was built with.
class CompileCommands {
public:
  /// \p Flags are those behind `--`, if it was given. Returns null, with the reason and the remedy
  /// in \p Error, where there are no commands.
  static std::unique_ptr<CompileCommands> find(const std::string& Folder, bool HasFlags,
                                               const std::vector<std::string>& Flags,
                                               const std::string& File, std::string& Error);

  /// The commands of \p File (an absolute path): none where the database doesn't know it.
  std::vector<clang::tooling::CompileCommand> of(const std::string& File) const;
  /// Where they are from, for messages.
  const std::string& origin() const { return Origin; }
  /// Where the flags are built in: how to make the project's own commands; else empty.
  const std::string& remedy() const { return Remedy; }

private:
  std::unique_ptr<clang::tooling::CompilationDatabase> Database;
  std::string Origin;
  std::string Remedy;
};

} // namespace accel_rewrite

#endif
