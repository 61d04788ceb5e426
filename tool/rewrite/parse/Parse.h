//===- Parse.h - One translation unit, parsed no further than needed ------===//
#ifndef ACCEL_REWRITE_PARSE_PARSE_H
#define ACCEL_REWRITE_PARSE_PARSE_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>
#include <vector>

namespace clang {
class ASTContext;
class Sema;
class SourceRange;
namespace tooling {
struct CompileCommand;
} // namespace tooling
} // namespace clang

namespace accel_rewrite {

class Project;

/// A unit without errors.
struct ParsedUnit {
  clang::ASTContext& AST;
  clang::Sema& TheSema;
  /// The branches of conditional directives that the preprocessor skipped, each from its directive
  /// to the next.
  const std::vector<clang::SourceRange>& Skipped;
};

struct ParseResult {
  bool Ok = false;
  /// What clang printed, where it found errors.
  std::string Errors;
};

/// Parses the unit of \p Command and, if it has no error, hands it to \p Visit.
///
/// Only templates that are written in project files are instantiated: nearly all of a complete
/// unit's cost is libtorch's own
/// (`TU_Prefix`). Such a unit can show an error that a complete one doesn't (an explicit
/// instantiation before the definition), so a unit with errors is parsed again as a complete one
/// before it is called broken.
ParseResult parse(const clang::tooling::CompileCommand& Command, const Project& Project,
                  llvm::function_ref<void(const ParsedUnit&)> Visit);

} // namespace accel_rewrite

#endif
