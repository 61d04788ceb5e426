//===- Options.h - The command line of accel-rewrite ----------------------===//
#ifndef ACCEL_REWRITE_OPTIONS_H
#define ACCEL_REWRITE_OPTIONS_H

#include "plan/How.h"

#include <string>
#include <vector>

namespace accel_rewrite {

enum ExitCode { Done = 0, FoundSomething = 1, Usage = 2, ParseError = 3, WriteError = 4 };

struct Options {
  std::vector<std::string> Names;
  std::string BuildFolder;
  std::string Root;
  std::string OutputDir;
  std::string FixesFile;
  std::string ReportFile;
  How Chosen;
  bool StagedOnly = false;
  std::string ResourceDir;
  std::vector<std::string> ExtraArgs;
  std::vector<std::string> RemovedArgs;
  bool InPlace = false;
  bool Check = false;
  bool Strict = false;
  bool Quiet = false;
  bool Stats = false;
  /// Threads that parse; 0: as many as there are cores, at most 8.
  unsigned Workers = 0;
  bool CMake = false;
  /// A `--` was given; Flags are what follows it.
  bool HasFlags = false;
  std::vector<std::string> Flags;
};

/// Parses the command line. Returns true to go on; false where the program is to end with \p Code
/// (after --help, --version or an error, whose text has been printed).
bool parseOptions(int Argc, const char* const* Argv, Options& Out, int& Code);

} // namespace accel_rewrite

#endif
