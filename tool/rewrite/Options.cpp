#include "Options.h"
#include "rules/Rules.h"

#include "clang/Basic/Version.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstring>
#include <iostream>

namespace accel_rewrite {

namespace {

const char Footer[] = "Exit codes: 0 done; 1 --check or --strict found something; 2 usage, "
                      "compile commands or resource folder;\n"
                      "3 a file did not parse; 4 write error.";

void addInputs(CLI::App& App, Options& Out) {
  App.add_option("files", Out.Names,
                 "Files, or folders with C++ sources; compiler flags may follow behind --")
      ->required();
  App.add_option("-p", Out.BuildFolder,
                 "Folder with compile_commands.json (default: a build folder at or above the first "
                 "file; without one, the flags of the libtorch that this tool was built with)");
  App.add_option("--root", Out.Root,
                 "Headers below this folder are the project's own (default: the current folder if "
                 "it holds the files, else the deepest that does)");
  App.add_flag("--staged-only", Out.StagedOnly, "Change only files that are staged in git");
  App.add_option("--extra-arg", Out.ExtraArgs, "A compiler flag to add; repeat for more")
      ->allow_extra_args(false);
  App.add_option("--remove-arg", Out.RemovedArgs,
                 "A compiler flag to leave out, as the command has it; repeat for more")
      ->allow_extra_args(false);
  App.add_option("--resource-dir", Out.ResourceDir, "Folder with clang's own include/stddef.h");
  App.add_option("-j", Out.Workers, "Files parsed at a time (default: one a core, at most 8)")
      ->check(CLI::PositiveNumber);
}

void addModes(CLI::App& App, Options& Out) {
  auto* Mode = App.add_option_group("mode");
  Mode->add_flag("--diff", "Print a unified diff (the default)");
  Mode->add_flag("-i", Out.InPlace, "Edit the files in place");
  Mode->add_flag("--check", Out.Check, "Change nothing; exit with 1 if anything would change");
  Mode->add_option("--output-dir", Out.OutputDir,
                   "Write the files, changed or not, below this folder as they lie below the root");
  Mode->add_option("--export-fixes", Out.FixesFile,
                   "Write the edits to this file, for clang-apply-replacements");
  Mode->require_option(0, 1);
}

std::string ruleTable() {
  std::string Table;
  for (const Rule& R : allRules())
    Table += R.Name + std::string(12 - R.Name.size(), ' ') +
             (R.Mandatory ? "always    " : "optional  ") + R.Description + "\n";
  Table.pop_back(); // The end of the last line comes from the one who prints it.
  return Table;
}

/// Leaves out all rules but \p Kept and those that a loop can't do without.
std::string chooseRules(const std::vector<std::string>& Kept, How& Chosen) {
  for (const Rule& R : allRules())
    if (!R.Mandatory)
      Chosen.LeftOut.insert(R.Name);
  for (const std::string& Name : Kept) {
    auto Known = std::find_if(allRules().begin(), allRules().end(),
                              [&](const Rule& R) { return R.Name == Name; });
    if (Name == "none")
      continue;
    if (Known == allRules().end())
      return "there is no rule " + Name + "; --list-rules names them";
    Chosen.LeftOut.erase(Name);
  }
  return "";
}

void addRules(CLI::App& App, Options& Out) {
  App.add_option("--form", Out.Chosen.Form,
                 "full: placement goes (the default); device: it stays, and the device becomes the "
                 "accelerator's")
      ->transform(CLI::CheckedTransformer(std::map<std::string, PlacementForm>{
          {"full", PlacementForm::Full}, {"device", PlacementForm::Device}}));
  App.add_flag(
      "--cmake", Out.CMake,
      "Also edit CMakeLists.txt: find the runtime, and link it to the targets that own the "
      "changed files");
  App.add_option_function<std::vector<std::string>>(
         "--rules",
         [&Out](const std::vector<std::string>& Kept) {
           if (std::string Error = chooseRules(Kept, Out.Chosen); !Error.empty())
             throw CLI::ValidationError("--rules", Error);
         },
         "Of the rules that can be left out, apply these only; none for no rule")
      ->delimiter(',')
      ->allow_extra_args(false);
  App.add_flag_callback(
      "--list-rules",
      [] { throw CLI::CallForVersion(ruleTable(), static_cast<int>(CLI::ExitCodes::Success)); },
      "List the rules, and which of them can be left out");
}

void addMessages(CLI::App& App, Options& Out) {
  App.add_flag("--strict", Out.Strict, "Exit with 1 also if a training loop is refused");
  App.add_option("--report", Out.ReportFile,
                 "Also write a report to this file: JSON, or SARIF 2.1.0 where it ends in .sarif");
  App.add_flag("--stats", Out.Stats, "Print how long each stage took");
  App.add_flag("--quiet", Out.Quiet, "No notes and no summary; refusals and errors stay");
  App.set_version_flag("--version",
                       "accel-rewrite " ACCEL_VERSION " (clang " CLANG_VERSION_STRING ")");
}

} // namespace

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
  addInputs(App, Out);
  addModes(App, Out);
  addRules(App, Out);
  addMessages(App, Out);
  try {
    App.parse(static_cast<int>(End - Argv), Argv);
  } catch (const CLI::ParseError& E) {
    Code = App.exit(E, std::cout, std::cerr) == 0 ? Done : Usage;
    return false;
  }
  return true;
}

} // namespace accel_rewrite
