//===- ResourceDir.h - Where clang's own headers are ----------------------===//
#ifndef ACCEL_REWRITE_PROJECT_RESOURCEDIR_H
#define ACCEL_REWRITE_PROJECT_RESOURCEDIR_H

#include <string>

namespace accel_rewrite {

/// The folder with clang's `include/stddef.h`: \p Wanted if given, else beside the installed tool,
/// else where the tool was built, else what an installed clang-19 says. Empty where none of them
/// has the header; \p Tried then lists them.
std::string findResourceDir(const std::string& Wanted, std::string& Tried);

} // namespace accel_rewrite

#endif
