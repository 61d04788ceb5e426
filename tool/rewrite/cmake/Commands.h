//===- Commands.h - The commands of a CMake file, with their places -------===//
#ifndef ACCEL_REWRITE_CMAKE_COMMANDS_H
#define ACCEL_REWRITE_CMAKE_COMMANDS_H

#include <optional>
#include <string>
#include <vector>

namespace accel_rewrite {

/// One argument as it is written, variables not replaced.
struct CMakeArgument {
  /// Without its quotes or brackets.
  std::string Text;
  /// The bytes that it covers, quotes included.
  unsigned Begin = 0;
  unsigned End = 0;
  /// In quotes or brackets: `;` doesn't split it.
  bool Quoted = false;
  /// In brackets: `${…}` means nothing in it.
  bool Literal = false;
};

struct CMakeCommand {
  /// In lower case, as CMake doesn't tell them apart.
  std::string Name;
  std::vector<CMakeArgument> Arguments;
  /// From the name to behind the `)`.
  unsigned Begin = 0;
  unsigned End = 0;
  /// The line (from 1) of the name.
  unsigned Line = 1;
};

/// The commands of \p Text in their order, comments aside; nothing where it is no CMake.
std::optional<std::vector<CMakeCommand>> parseCMake(const std::string& Text);

} // namespace accel_rewrite

#endif
