//===- FileApi.h - What CMake itself says of a project's targets ----------===//
#ifndef ACCEL_REWRITE_CMAKE_FILEAPI_H
#define ACCEL_REWRITE_CMAKE_FILEAPI_H

#include <map>
#include <optional>
#include <set>
#include <string>

namespace accel_rewrite {

/// The names of the targets that compile a source (an absolute path), by CMake's file API in the
/// build folder \p Build; nothing where CMake left no reply there.
std::optional<std::map<std::string, std::set<std::string>>>
targetsBySource(const std::string& Build);

} // namespace accel_rewrite

#endif
