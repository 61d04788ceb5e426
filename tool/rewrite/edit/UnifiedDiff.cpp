#include "edit/UnifiedDiff.h"
#include "edit/Merge.h"

#include <algorithm>

namespace accel_rewrite {

namespace {

using Lines = std::vector<std::string>;

/// Lines with their `\n`; the last may lack it.
Lines split(const std::string& Text) {
  Lines Result;
  for (size_t Begin = 0; Begin < Text.size();) {
    size_t End = std::min(Text.find('\n', Begin), Text.size() - 1) + 1;
    Result.push_back(Text.substr(Begin, End - Begin));
    Begin = End;
  }
  return Result;
}

/// The old lines [Begin, End) become New.
struct Hunk {
  size_t Begin, End;
  Lines New;
};

/// The regions of lines that the edits touch, without the lines at their ends that stay as they
/// are.
std::vector<Hunk> hunks(const std::string& Text, const Lines& Old, const std::vector<Edit>& Edits) {
  std::vector<size_t> Starts = {0};
  for (const std::string& Line : Old)
    Starts.push_back(Starts.back() + Line.size());
  auto LineOf = [&](size_t Offset) -> size_t {
    return std::min<size_t>(
        std::upper_bound(Starts.begin(), Starts.end(), Offset) - Starts.begin() - 1, Old.size());
  };
  std::vector<Hunk> Result;
  for (size_t I = 0; I < Edits.size();) {
    size_t Begin = LineOf(Edits[I].Begin), End = LineOf(Edits[I].End) + 1, J = I + 1;
    for (; J < Edits.size() && LineOf(Edits[J].Begin) < End; ++J)
      End = std::max(End, LineOf(Edits[J].End) + 1);
    End = std::min(End, Old.size());
    std::vector<Edit> Here(Edits.begin() + I, Edits.begin() + J);
    for (Edit& E : Here) {
      E.Begin -= Starts[Begin];
      E.End -= Starts[Begin];
    }
    Hunk R{Begin, End,
           split(applyEdits(Text.substr(Starts[Begin], Starts[End] - Starts[Begin]), Here))};
    while (R.Begin < R.End && !R.New.empty() && Old[R.Begin] == R.New.front()) {
      ++R.Begin;
      R.New.erase(R.New.begin());
    }
    while (R.Begin < R.End && !R.New.empty() && Old[R.End - 1] == R.New.back()) {
      --R.End;
      R.New.pop_back();
    }
    if (R.Begin == R.End && R.New.empty()) {
      I = J;
      continue;
    }
    if (!Result.empty() && Result.back().End == R.Begin) {
      // Lines that follow each other are one change to a reader.
      Result.back().End = R.End;
      Result.back().New.insert(Result.back().New.end(), R.New.begin(), R.New.end());
    } else {
      Result.push_back(std::move(R));
    }
    I = J;
  }
  return Result;
}

/// A file's name as git writes it there: quoted where it has odd characters, with a tab behind one
/// that has blanks.
std::string header(const std::string& Name) {
  std::string Quoted;
  bool Odd = false;
  for (char C : Name) {
    bool Escape = C == '"' || C == '\\' || C == '\n' || C == '\t';
    Odd |= Escape;
    if (Escape)
      Quoted += '\\';
    Quoted += C == '\n' ? 'n' : C == '\t' ? 't' : C;
  }
  if (Odd)
    return "\"" + Quoted + "\"";
  return Name.find(' ') == std::string::npos ? Name : Name + "\t";
}

void addLine(std::string& Out, char Mark, const std::string& Line) {
  Out += Mark;
  Out += Line;
  if (Line.empty() || Line.back() != '\n')
    Out += "\n\\ No newline at end of file\n";
}

std::string range(size_t Begin, size_t Count) {
  // A range of no lines names the line before it.
  std::string Result = std::to_string(Count == 0 ? Begin : Begin + 1);
  return Count == 1 ? Result : Result + "," + std::to_string(Count);
}

} // namespace

std::string unifiedDiff(const std::string& Name, const std::string& Text,
                        const std::vector<Edit>& Edits) {
  const size_t Context = 3;
  Lines Old = split(Text);
  std::vector<Hunk> All = hunks(Text, Old, Edits);
  if (All.empty())
    return "";
  std::string Out = "--- " + header("a/" + Name) + "\n+++ " + header("b/" + Name) + "\n";
  long Shift = 0; // new line numbers less old ones
  for (size_t I = 0; I < All.size();) {
    size_t J = I + 1;
    while (J < All.size() && All[J].Begin <= All[J - 1].End + 2 * Context)
      ++J;
    size_t Begin = All[I].Begin - std::min(Context, All[I].Begin);
    size_t End = std::min(All[J - 1].End + Context, Old.size());
    long Growth = 0;
    std::string Body;
    size_t Line = Begin;
    for (size_t K = I; K < J; ++K) {
      for (; Line < All[K].Begin; ++Line)
        addLine(Body, ' ', Old[Line]);
      for (; Line < All[K].End; ++Line)
        addLine(Body, '-', Old[Line]);
      for (const std::string& New : All[K].New)
        addLine(Body, '+', New);
      Growth += static_cast<long>(All[K].New.size()) - static_cast<long>(All[K].End - All[K].Begin);
    }
    for (; Line < End; ++Line)
      addLine(Body, ' ', Old[Line]);
    Out += "@@ -" + range(Begin, End - Begin) + " +" + range(Begin + Shift, End - Begin + Growth) +
           " @@\n" + Body;
    Shift += Growth;
    I = J;
  }
  return Out;
}

} // namespace accel_rewrite
