//===- Format.h - Changed lines in the style of their file ----------------===//
#ifndef ACCEL_REWRITE_EDIT_FORMAT_H
#define ACCEL_REWRITE_EDIT_FORMAT_H

#include "edit/Edit.h"

#include "clang/Format/Format.h"

#include <optional>

namespace accel_rewrite {

/// The style that a `.clang-format` at or above \p Path asks for; nothing where there is none, or
/// it turns formatting off.
std::optional<clang::format::FormatStyle> styleFor(const std::string& Path,
                                                   const std::string& Text);

/// \p Edits (disjoint, ascending, exact to the byte) with the lines that they change formatted, and
/// the new include where the style sorts it. Nothing else moves.
std::vector<Edit> formatted(const SourceFile& File, std::vector<Edit> Edits,
                            const clang::format::FormatStyle& Style);

} // namespace accel_rewrite

#endif
