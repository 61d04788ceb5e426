//===- Edit.h - Changes of text, as data ----------------------------------===//
#ifndef ACCEL_REWRITE_EDIT_EDIT_H
#define ACCEL_REWRITE_EDIT_EDIT_H

#include "facts/Facts.h"

namespace accel_rewrite {

/// Replaces the bytes [Begin, End) of a file by Text. Rules write `\n` for a new line, whatever the
/// file has; withLineEndings() makes them exact.
struct Edit {
  std::string File;
  unsigned Begin = 0;
  unsigned End = 0;
  std::string Text;

  bool operator==(const Edit& Other) const {
    return std::tie(File, Begin, End, Text) ==
           std::tie(Other.File, Other.Begin, Other.End, Other.Text);
  }
};

/// The line that brings in the runtime, without its end.
inline constexpr char NewInclude[] = "#include <accel/accel.h>";

/// The edits of one change, in the order in which insertions at one place shall stand.
class EditList {
public:
  explicit EditList(const Facts& F) : F(F) {}

  void replace(const Span& Where, std::string Text);
  void insert(const std::string& File, unsigned Offset, std::string Text);
  /// Puts \p Statement on a line of its own before the line of \p Before, indented as that is.
  void insertLineBefore(const Span& Before, const std::string& Statement);
  /// The same, above the comment lines that belong to \p Before.
  void insertLineAbove(const Span& Before, const std::string& Statement);
  /// Puts each of \p Statements on a line of its own behind the line that \p After ends on,
  /// indented by \p Indent.
  void insertLinesAfter(const Span& After, const std::string& Indent,
                        const std::vector<std::string>& Statements);
  /// Removes a statement, with its line where nothing else is on it; of blank lines around it one
  /// stays.
  void removeStatement(const Span& Statement);

  const std::vector<Edit>& edits() const { return Edits; }
  /// Whether an edit has no place in a file, since what it would change is in a macro's body.
  bool isLost() const { return Lost; }
  /// The first edit in a region that `// accel-rewrite: off` begins; null if there is none.
  const Edit* firstSwitchedOff() const;

private:
  const std::string& text(const std::string& File) const { return F.Files.at(File).Text; }

  void add(Edit E);

  const Facts& F;
  std::vector<Edit> Edits;
  bool Lost = false;
};

} // namespace accel_rewrite

#endif
