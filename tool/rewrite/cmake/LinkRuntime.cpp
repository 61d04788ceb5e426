#include "cmake/LinkRuntime.h"
#include "cmake/FileApi.h"
#include "cmake/Scripts.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"

#include <algorithm>

namespace accel_rewrite {

namespace path = llvm::sys::path;
using llvm::StringRef;

namespace {

const char Package[] = "find_package(accel REQUIRED)";

bool isTorch(const CMakePlace& Package) {
  const auto& Arguments = Package.Command.Arguments;
  return !Arguments.empty() && (StringRef(Arguments[0].Text).equals_insensitive("torch") ||
                                StringRef(Arguments[0].Text).equals_insensitive("libtorch"));
}

bool isRuntime(const CMakePlace& Package) {
  return !Package.Command.Arguments.empty() && Package.Command.Arguments[0].Text == "accel";
}

class Linker {
public:
  Linker(const std::string& Root, const std::string& Build) : Root(Root) {
    if (!Build.empty())
      BySource = targetsBySource(Build);
  }

  void add(const std::string& Source) {
    CMakeScripts Scripts = readScripts(Root, Source);
    if (Scripts.Texts.empty())
      return unsure(Source, nullptr, "there is no CMakeLists.txt at or above it, below " + Root);
    std::set<std::string> Names;
    std::string Reason = owners(Scripts, Source, Names);
    if (!Reason.empty())
      return unsure(Source, &Scripts, Reason);
    for (const std::string& Name : Names) {
      const CMakeTarget* T = Scripts.target(Name);
      if (!T)
        return unsure(Source, &Scripts,
                      "the command that makes the target '" + Name + "' is not in view");
      if (std::string Missing = find(Scripts, *T); !Missing.empty())
        return unsure(Source, &Scripts, Missing);
      link(Scripts, *T);
    }
  }

  CMakeChange result() {
    if (!Out.Diagnostics.empty()) {
      Out.Edits.clear();
      Out.Texts.clear();
    }
    for (auto& [File, List] : Out.Edits)
      std::stable_sort(List.begin(), List.end(),
                       [](const Edit& A, const Edit& B) { return A.Begin < B.Begin; });
    return std::move(Out);
  }

private:
  /// The targets that compile \p Source; what is returned says why they can't be told.
  std::string owners(const CMakeScripts& Scripts, const std::string& Source,
                     std::set<std::string>& Names) const {
    if (BySource)
      if (auto It = BySource->find(Source); It != BySource->end()) {
        Names = It->second;
        return "";
      }
    const CMakeTarget* Unknown = nullptr;
    for (const CMakeTarget& T : Scripts.Targets) {
      if (T.Sources.count(Source))
        Names.insert(T.Name);
      if (T.Unknown)
        Unknown = &T;
    }
    if (!Names.empty())
      return "";
    return Unknown ? "the sources of the target '" + Unknown->Name + "' can't be read from the text"
                   : "no target in view names it";
  }

  /// find_package, unless it is there; what is returned says why it has no place.
  std::string find(const CMakeScripts& Scripts, const CMakeTarget& T) {
    auto IsSeen = [&](const CMakePlace& P) {
      return P.Directory == T.Made.Directory ||
             StringRef(T.Made.Directory).starts_with(P.Directory + "/");
    };
    const CMakePlace* Torch = nullptr;
    for (const CMakePlace& P : Scripts.Packages) {
      if (!IsSeen(P))
        continue;
      if (isRuntime(P))
        return "";
      if (!isTorch(P))
        continue;
      if (Torch && Torch->Directory == P.Directory)
        return "libtorch is found in several places";
      if (!Torch || P.Directory.size() > Torch->Directory.size())
        Torch = &P;
    }
    if (!Torch)
      return "no find_package(Torch) is in view of the target '" + T.Name + "'";
    insertLineBehind(Scripts, *Torch, Package);
    return "";
  }

  /// Behind libtorch in the command that links that, else at the end of the first command.
  void link(const CMakeScripts& Scripts, const CMakeTarget& T) {
    const CMakePlace* Command = nullptr;
    const CMakeArgument* Behind = nullptr;
    bool IsTorch = false;
    for (const CMakePlace& P : T.Links)
      for (const CMakeArgument& A : P.Command.Arguments) {
        StringRef Text = A.Text;
        if (Text == "accel::accel")
          return;
        bool Torch = Text.contains_insensitive("torch_libraries") || Text == "torch";
        if (P.Depth > T.Made.Depth || IsTorch || (Command && !Torch))
          continue;
        Command = &P;
        Behind = Torch ? &A : &P.Command.Arguments.back();
        IsTorch = Torch;
      }
    const std::string& Name = T.Made.Command.Arguments.front().Text;
    if (!Command)
      insertLineBehind(Scripts, T.Made, "target_link_libraries(" + Name + " PRIVATE accel::accel)");
    else if (Command->Command.Arguments.size() == 1)
      insert(Scripts, Command->File, Behind->End, " PRIVATE accel::accel");
    else
      insertBehind(Scripts, Command->File, *Behind);
  }

  /// On a line of its own where \p A has one.
  void insertBehind(const CMakeScripts& Scripts, const std::string& File, const CMakeArgument& A) {
    StringRef Text = Scripts.Texts.at(File);
    size_t Line = Text.take_front(A.Begin).rfind('\n') + 1;
    StringRef Before = Text.slice(Line, A.Begin);
    bool Alone = Before.trim(" \t").empty() && Line > 0;
    insert(Scripts, File, A.End, Alone ? "\n" + Before.str() + "accel::accel" : " accel::accel");
  }

  /// Behind the line on which the command ends, indented as it is.
  void insertLineBehind(const CMakeScripts& Scripts, const CMakePlace& P, const std::string& New) {
    StringRef Text = Scripts.Texts.at(P.File);
    size_t Line = Text.take_front(P.Command.Begin).rfind('\n') + 1;
    StringRef Indent = Text.slice(Line, P.Command.Begin);
    size_t End = std::min(Text.find('\n', P.Command.End), Text.size());
    if (End > P.Command.End && Text[End - 1] == '\r')
      --End;
    insert(Scripts, P.File, static_cast<unsigned>(End),
           "\n" + Indent.take_while([](char C) { return C == ' ' || C == '\t'; }).str() + New);
  }

  void insert(const CMakeScripts& Scripts, const std::string& File, unsigned At, std::string New) {
    Edit E{File, At, At, std::move(New)};
    std::vector<Edit>& List = Out.Edits[File];
    Out.Texts.emplace(File, Scripts.Texts.at(File));
    if (std::find(List.begin(), List.end(), E) == List.end())
      List.push_back(std::move(E));
  }

  void unsure(const std::string& Source, const CMakeScripts* Scripts, const std::string& Reason) {
    // The file that the lines would go into, as far as it can be told.
    std::string File = Source;
    if (Scripts)
      for (const auto& [Path, Text] : Scripts->Texts)
        if (path::filename(Path) == "CMakeLists.txt" &&
            (File == Source || Path.size() > File.size()))
          File = Path;
    Span Where{File, 0, 0, 1, 1};
    Out.Diagnostics.push_back(
        {"AR025", Where,
         "which CMake target has " + path::filename(Source).str() + " can't be told: " + Reason,
         std::string("add by hand: ") + Package +
             " behind that of Torch, and target_link_libraries(TARGET accel::accel)"});
  }

  std::string Root;
  std::optional<std::map<std::string, std::set<std::string>>> BySource;
  CMakeChange Out;
};

} // namespace

CMakeChange linkRuntime(const std::string& Root, const std::string& Build,
                        const std::set<std::string>& Sources) {
  Linker Link(Root, Build);
  for (const std::string& Source : Sources)
    Link.add(Source);
  return Link.result();
}

} // namespace accel_rewrite
