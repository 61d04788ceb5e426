#include "edit/Edit.h"

#include <algorithm>

namespace accel_rewrite {

namespace {

bool isBlank(char C) {
  return C == ' ' || C == '\t' || C == '\r';
}

size_t lineBegin(const std::string& Text, size_t Offset) {
  size_t NewLine = Offset == 0 ? std::string::npos : Text.rfind('\n', Offset - 1);
  return NewLine == std::string::npos ? 0 : NewLine + 1;
}

/// The offset of the line's `\n`, or the text's end.
size_t lineEnd(const std::string& Text, size_t Offset) {
  return std::min(Text.find('\n', Offset), Text.size());
}

bool onlyBlanks(const std::string& Text, size_t Begin, size_t End) {
  return std::all_of(Text.begin() + Begin, Text.begin() + End, isBlank);
}

} // namespace

const Edit* EditList::firstSwitchedOff() const {
  for (const Edit& E : Edits)
    for (const Span& Region : F.Files.at(E.File).OffRegions)
      if (E.Begin < Region.End && Region.Begin < E.End + (E.Begin == E.End))
        return &E;
  return nullptr;
}

void EditList::add(Edit E) {
  auto File = F.Files.find(E.File);
  if (File == F.Files.end() || E.Begin > E.End || E.End > File->second.Text.size())
    Lost = true;
  else
    Edits.push_back(std::move(E));
}

void EditList::replace(const Span& Where, std::string Text) {
  add({Where.File, Where.Begin, Where.End, std::move(Text)});
}

void EditList::insert(const std::string& File, unsigned Offset, std::string Text) {
  add({File, Offset, Offset, std::move(Text)});
}

void EditList::insertLineBefore(const Span& Before, const std::string& Statement) {
  if (!Before.valid())
    return replace(Before, Statement);
  const std::string& Text = text(Before.File);
  size_t Line = lineBegin(Text, Before.Begin);
  if (onlyBlanks(Text, Line, Before.Begin))
    insert(Before.File, Line, Text.substr(Line, Before.Begin - Line) + Statement + "\n");
  else
    insert(Before.File, Before.Begin, Statement + " ");
}

void EditList::insertLineAbove(const Span& Before, const std::string& Statement) {
  if (!Before.valid())
    return replace(Before, Statement);
  const std::string& Text = text(Before.File);
  size_t Line = lineBegin(Text, Before.Begin);
  if (!onlyBlanks(Text, Line, Before.Begin))
    return insertLineBefore(Before, Statement);
  size_t At = Line;
  while (At > 0) {
    size_t Previous = lineBegin(Text, At - 1);
    size_t First = Text.find_first_not_of(" \t", Previous);
    if (Text.compare(First, 2, "//") != 0)
      break;
    At = Previous;
  }
  insert(Before.File, At, Text.substr(Line, Before.Begin - Line) + Statement + "\n");
}

void EditList::insertLinesAfter(const Span& After, const std::string& Indent,
                                const std::vector<std::string>& Statements) {
  if (!After.valid())
    return replace(After, "");
  const std::string& Text = text(After.File);
  std::string Lines;
  for (const std::string& S : Statements)
    Lines += "\n" + Indent + S;
  // A comment at the end of the line stays there.
  size_t End = lineEnd(Text, After.End);
  size_t Next = Text.find_first_not_of(" \t\r", After.End);
  bool RestIsComment = Next < End && Text.compare(Next, 2, "//") == 0;
  size_t At = RestIsComment ? End - (End > 0 && Text[End - 1] == '\r') : After.End;
  insert(After.File, At, Lines);
}

void EditList::removeStatement(const Span& Statement) {
  if (!Statement.valid())
    return replace(Statement, "");
  const std::string& Text = text(Statement.File);
  size_t Begin = lineBegin(Text, Statement.Begin), End = lineEnd(Text, Statement.End);
  Edit E{Statement.File, Statement.Begin, Statement.End, ""};
  if (onlyBlanks(Text, Begin, Statement.Begin) && onlyBlanks(Text, Statement.End, End)) {
    E.Begin = Begin;
    E.End = std::min(End + 1, Text.size());
    size_t Before = Begin == 0 ? 0 : lineBegin(Text, Begin - 1);
    size_t NextEnd = lineEnd(Text, E.End);
    bool BlankBefore = Begin == 0 || onlyBlanks(Text, Before, Begin - 1);
    if (BlankBefore && E.End < Text.size() && onlyBlanks(Text, E.End, NextEnd))
      E.End = std::min(NextEnd + 1, Text.size());
  }
  add(std::move(E));
}

} // namespace accel_rewrite
