//===- Files.h - What a file's tokens say, apart from the AST -------------===//
#ifndef ACCEL_REWRITE_DISCOVER_FILES_H
#define ACCEL_REWRITE_DISCOVER_FILES_H

#include "facts/Facts.h"

#include "clang/Basic/SourceLocation.h"

namespace clang {
class LangOptions;
class SourceManager;
} // namespace clang

namespace accel_rewrite {

/// The includes, the names, the layers and the suppression comments of a file.
SourceFile describeFile(const clang::SourceManager& SM, const clang::LangOptions& Lang,
                        clang::FileID File, const std::string& Path);

} // namespace accel_rewrite

#endif
