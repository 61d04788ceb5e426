#include "edit/Merge.h"

#include <algorithm>

namespace accel_rewrite {

namespace {

struct Owned {
  Edit E;
  std::vector<size_t> Owners;
};

/// Edits of all changes that are not refused, each once, in ascending order; insertions before a
/// replacement that begins there.
std::vector<Owned> collect(const std::vector<EditList>& Changes, const Merged& Out) {
  std::vector<Owned> All;
  for (size_t I = 0; I < Changes.size(); ++I) {
    if (Out.Refused.count(I))
      continue;
    for (const Edit& E : Changes[I].edits()) {
      auto Known = std::find_if(All.begin(), All.end(), [&](const Owned& O) { return O.E == E; });
      if (Known == All.end())
        All.push_back({E, {I}});
      else if (Known->Owners.back() != I)
        Known->Owners.push_back(I);
    }
  }
  std::stable_sort(All.begin(), All.end(), [](const Owned& A, const Owned& B) {
    bool InsertA = A.E.Begin == A.E.End, InsertB = B.E.Begin == B.E.End;
    return std::make_tuple(std::ref(A.E.File), A.E.Begin, !InsertA) <
           std::make_tuple(std::ref(B.E.File), B.E.Begin, !InsertB);
  });
  return All;
}

/// Refuses the owners of the first overlap; false where there is none.
bool refuseOverlap(const std::vector<Owned>& All, Merged& Out) {
  for (size_t I = 1; I < All.size(); ++I) {
    const Owned &A = All[I - 1], &B = All[I];
    if (A.E.File != B.E.File || B.E.Begin >= A.E.End)
      continue;
    for (const Owned* O : {&A, &B})
      for (size_t Owner : O->Owners)
        Out.Refused[Owner] = {B.E.File, B.E.Begin};
    return true;
  }
  return false;
}

} // namespace

Merged merge(const std::vector<EditList>& Changes) {
  Merged Out;
  std::vector<Owned> All = collect(Changes, Out);
  while (refuseOverlap(All, Out))
    All = collect(Changes, Out);
  for (Owned& O : All)
    Out.Files[O.E.File].push_back(std::move(O.E));
  return Out;
}

/// Whether the line of \p Offset, or else the one before, ends in `\r\n`.
static bool hasCarriageReturn(const std::string& Text, unsigned Offset) {
  size_t NewLine = Text.find('\n', Offset);
  if (NewLine == std::string::npos)
    NewLine = Text.rfind('\n');
  return NewLine != std::string::npos && NewLine > 0 && Text[NewLine - 1] == '\r';
}

std::vector<Edit> withLineEndings(const std::string& Text, std::vector<Edit> Edits) {
  for (Edit& E : Edits) {
    std::string Exact;
    for (size_t I = 0; I < E.Text.size(); ++I) {
      if (E.Text[I] == '\r' && E.Text.compare(I + 1, 1, "\n") == 0)
        continue;
      if (E.Text[I] == '\n' && hasCarriageReturn(Text, E.Begin))
        Exact += '\r';
      Exact += E.Text[I];
    }
    E.Text = std::move(Exact);
  }
  return Edits;
}

std::string applyEdits(const std::string& Text, const std::vector<Edit>& Edits) {
  std::string Out;
  size_t Done = 0;
  for (const Edit& E : Edits) {
    Out.append(Text, Done, E.Begin - Done);
    Out += E.Text;
    Done = E.End;
  }
  Out.append(Text, Done, std::string::npos);
  return Out;
}

} // namespace accel_rewrite
