//===- Flags.h - Compile commands in a form that clang takes --------------===//
#ifndef ACCEL_REWRITE_PROJECT_FLAGS_H
#define ACCEL_REWRITE_PROJECT_FLAGS_H

#include <string>
#include <vector>

namespace accel_rewrite {

/// \p Command, as a build system wrote it for GCC or clang, made fit to parse: launchers (ccache,
/// cmake -E env), outputs, dependency files, flags that only GCC knows, module maps that don't
/// exist yet and GCC's precompiled headers go (a precompiled header's text stays included);
/// \p ResourceDir and \p Extra come, \p Removed go wherever they stand.
std::vector<std::string> parseFlags(const std::vector<std::string>& Command,
                                    const std::string& ResourceDir,
                                    const std::vector<std::string>& Extra,
                                    const std::vector<std::string>& Removed);

} // namespace accel_rewrite

#endif
