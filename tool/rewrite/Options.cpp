#include "Options.h"

#include "clang/Basic/Version.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstring>
#include <iostream>

namespace accel_rewrite {

static const char Footer[] = "Exit codes: 0 done; 1 --check or --strict found something; 2 usage, "
                             "compile commands or resource folder;\n"
                             "3 a file did not parse; 4 write error.";

bool parseOptions(int Argc, const char* const* Argv, Options& Out, int& Code) {
  // What follows `--` are compiler flags, not ours to interpret.
  const char* const* End =
      std::find_if(Argv, Argv + Argc, [](const char* A) { return !std::strcmp(A, "--"); });
  if (End != Argv + Argc) {
    Out.HasFlags = true;
    Out.Flags.assign(End + 1, Argv + Argc);
  }

  CLI::App App(
      "Finds the training loops of libtorch programs and makes them run on one process or many.",
      "accel-rewrite");
  App.footer(Footer);
  App.set_version_flag("--version",
                       "accel-rewrite " ACCEL_VERSION " (clang " CLANG_VERSION_STRING ")");
  App.add_option("files", Out.Names,
                 "Files, or folders with C++ sources; compiler flags may follow behind --")
      ->required();
  App.add_option(
      "-p", Out.BuildFolder,
      "Folder with compile_commands.json (default: a build folder at or above the first file)");
  bool Diff = false;
  auto* Mode = App.add_option_group("mode");
  Mode->add_flag("--diff", Diff, "Print a unified diff (the default)");
  Mode->add_flag("-i", Out.InPlace, "Edit the files in place");
  Mode->add_flag("--check", Out.Check, "Change nothing; exit with 1 if anything would change");
  Mode->add_option("--output-dir", Out.OutputDir,
                   "Write the files, changed or not, below this folder as they lie below the root");
  Mode->require_option(0, 1);
  App.add_flag("--strict", Out.Strict, "Exit with 1 also if a training loop is refused");
  App.add_option("--root", Out.Root,
                 "Headers below this folder are the project's own (default: the current folder if "
                 "it holds the files, else the deepest that does)");
  App.add_option("--extra-arg", Out.ExtraArgs, "A compiler flag to add; repeat for more")
      ->allow_extra_args(false);
  App.add_option("--resource-dir", Out.ResourceDir, "Folder with clang's own include/stddef.h");
  App.add_flag("--quiet", Out.Quiet, "No notes and no summary; refusals and errors stay");
  try {
    App.parse(static_cast<int>(End - Argv), Argv);
  } catch (const CLI::ParseError& E) {
    Code = App.exit(E, std::cout, std::cerr) == 0 ? Done : Usage;
    return false;
  }
  return true;
}

} // namespace accel_rewrite
