//===- Merge.h - The edits of several changes, as one text a file ---------===//
#ifndef ACCEL_REWRITE_EDIT_MERGE_H
#define ACCEL_REWRITE_EDIT_MERGE_H

#include "edit/Edit.h"

#include <set>

namespace accel_rewrite {

struct Merged {
  /// Disjoint edits in ascending order, by file.
  std::map<std::string, std::vector<Edit>> Files;
  struct Conflict {
    std::string File;
    unsigned Offset = 0;
  };
  /// The changes (by index) that were left out as a whole, and where they get in each other's way.
  std::map<size_t, Conflict> Refused;
};

/// Edits that several changes agree on are kept once. Any other overlap refuses all changes that
/// take part in it.
Merged merge(const std::vector<EditList>& Changes);

/// The edits with new lines as the text has them around each: `\r\n` or `\n`.
std::vector<Edit> withLineEndings(const std::string& Text, std::vector<Edit> Edits);

/// \p Text with \p Edits applied (disjoint, ascending), byte for byte.
std::string applyEdits(const std::string& Text, const std::vector<Edit>& Edits);

} // namespace accel_rewrite

#endif
