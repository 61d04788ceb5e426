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

/// The line ending of \p Text, as its first line has it.
std::string newLineOf(const std::string& Text);
/// The text of an edit, with \p NewLine for each of its new lines.
std::string withNewLines(const std::string& Text, const std::string& NewLine);

/// \p Text with \p Edits applied (disjoint, ascending). New lines follow the text's own.
std::string applyEdits(const std::string& Text, const std::vector<Edit>& Edits);
/// The same for a part of a file, whose line ending is \p NewLine.
std::string applyEdits(const std::string& Text, const std::vector<Edit>& Edits,
                       const std::string& NewLine);

} // namespace accel_rewrite

#endif
