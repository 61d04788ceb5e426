//===- Setup.h - What a run reads, and how --------------------------------===//
#ifndef ACCEL_REWRITE_PROJECT_SETUP_H
#define ACCEL_REWRITE_PROJECT_SETUP_H

#include "project/CompileCommands.h"
#include "project/Inputs.h"

#include <optional>
#include <set>

namespace accel_rewrite {

struct Options;

/// Inputs, folders and compile commands of a run.
struct Setup {
  Inputs In;
  /// The current folder, which messages are relative to.
  std::string Here;
  /// The project's folder.
  std::string Root;
  std::string ResourceDir;
  /// With --staged-only: the files that may be changed.
  std::optional<std::set<std::string>> Staged;
  /// Null where no file could hold a training loop, so that none is read.
  std::unique_ptr<CompileCommands> Commands;
  /// Why the run ends here; empty where it goes on.
  std::string Error;

  explicit Setup(const Options& O);

private:
  std::string resolve(const Options& O);
  std::string findStaged();
};

} // namespace accel_rewrite

#endif
