//===- Write.h - New contents into files, all or none ---------------------===//
#ifndef ACCEL_REWRITE_EDIT_WRITE_H
#define ACCEL_REWRITE_EDIT_WRITE_H

#include <string>
#include <vector>

namespace accel_rewrite {

struct NewContent {
  std::string Path;
  std::string Text;
  /// What the file held when it was read; it must still. Unset for a file that may be made or
  /// overwritten.
  bool Expects = false;
  std::string Expected;
};

/// Writes each file beside its place and renames it there; modes are kept, folders made. Before the
/// first rename all files are checked (there, unchanged since they were read, not read-only) and
/// all new ones are complete on disk. Returns what went wrong and what was written then, or "".
std::string writeAll(const std::vector<NewContent>& Files);

} // namespace accel_rewrite

#endif
