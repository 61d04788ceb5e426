#include "cmake/Scripts.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>

namespace accel_rewrite {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
using llvm::StringRef;

CMakeTarget* CMakeScripts::target(const std::string& Name) {
  auto It = std::find_if(Targets.begin(), Targets.end(),
                         [&](const CMakeTarget& T) { return T.Name == Name; });
  return It == Targets.end() ? nullptr : &*It;
}

namespace {

struct Value {
  std::vector<std::string> Items;
  bool Known = true;
};

/// The variables of a directory; a subdirectory starts with a copy.
using Scope = std::map<std::string, Value>;

std::string absolute(const std::string& Directory, StringRef Name) {
  llvm::SmallString<256> Path(Name), Real;
  fs::make_absolute(Directory, Path);
  path::remove_dots(Path, /*remove_dot_dot=*/true);
  return std::string(fs::real_path(Path, Real) ? Path : Real);
}

class Interpreter {
public:
  explicit Interpreter(CMakeScripts& Out, std::string Root) : Out(Out), Root(std::move(Root)) {}

  void enter(const std::string& Directory, Scope Variables) {
    std::string File = Directory + "/CMakeLists.txt";
    bool Ours = Directory == Root || StringRef(Directory).starts_with(Root + "/");
    if (!Ours || !Entered.insert(File).second || !fs::exists(File))
      return;
    Variables["CMAKE_CURRENT_SOURCE_DIR"] = {{Directory}};
    Variables.try_emplace("CMAKE_SOURCE_DIR", Value{{Directory}});
    read(File, Directory, Variables);
  }

private:
  void read(const std::string& File, const std::string& Directory, Scope& Variables) {
    auto Buffer = llvm::MemoryBuffer::getFile(File);
    if (!Buffer)
      return;
    std::string Text = (*Buffer)->getBuffer().str();
    std::optional<std::vector<CMakeCommand>> Commands = parseCMake(Text);
    if (!Commands)
      return;
    Out.Texts.emplace(File, std::move(Text));
    unsigned Ifs = 0, Bodies = 0;
    for (const CMakeCommand& C : *Commands) {
      // Bodies of functions and loops run under names that aren't known here.
      if (llvm::StringSwitch<bool>(C.Name)
              .Cases("function", "macro", "foreach", "while", true)
              .Default(false))
        ++Bodies;
      else if (llvm::StringSwitch<bool>(C.Name)
                   .Cases("endfunction", "endmacro", "endforeach", "endwhile", true)
                   .Default(false))
        Bodies -= Bodies > 0;
      else if (C.Name == "if")
        ++Ifs;
      else if (C.Name == "endif")
        Ifs -= Ifs > 0;
      else if (Bodies == 0)
        run({File, Directory, C, Ifs}, Variables);
    }
  }

  void run(const CMakePlace& P, Scope& Variables) {
    const std::string& Name = P.Command.Name;
    const auto& Arguments = P.Command.Arguments;
    if (Name == "find_package") {
      Out.Packages.push_back(P);
      return;
    }
    Value All = expand(Arguments, Variables);
    if (All.Items.empty())
      return;
    std::string First = All.Items.front();
    Value Rest{{All.Items.begin() + 1, All.Items.end()}, All.Known};
    if (Name == "project")
      project(P, First, Variables);
    else if (Name == "set" || Name == "list" || Name == "file" || Name == "aux_source_directory")
      assign(P, First, Rest, Variables);
    else if (Name == "add_subdirectory")
      enter(absolute(P.Directory, First), Variables);
    else if (Name == "include" && StringRef(absolute(P.Directory, First)).starts_with(Root + "/"))
      read(absolute(P.Directory, First), P.Directory, Variables);
    else if (Name == "add_executable" || Name == "add_library")
      addTarget(P, First, Rest);
    else if (CMakeTarget* T = Out.target(First); T && Name == "target_sources")
      addSources(*T, P.Directory, Rest);
    else if (T && Name == "target_link_libraries")
      T->Links.push_back(P);
  }

  static void project(const CMakePlace& P, const std::string& Name, Scope& Variables) {
    Variables["PROJECT_NAME"] = {{Name}};
    Variables.try_emplace("CMAKE_PROJECT_NAME", Value{{Name}});
    Variables["PROJECT_SOURCE_DIR"] = {{P.Directory}};
  }

  static void assign(const CMakePlace& P, const std::string& First, const Value& Rest,
                     Scope& Variables) {
    bool Append = false;
    std::string Name = First;
    Value New = Rest;
    if (P.Command.Name == "list" || P.Command.Name == "file") {
      bool Globs = First == "GLOB" || First == "GLOB_RECURSE";
      if (Rest.Items.empty() || (P.Command.Name == "file" && !Globs))
        return;
      Name = Rest.Items.front();
      Append = First == "APPEND";
      New.Items.erase(New.Items.begin());
      New.Known &= Append;
    } else if (P.Command.Name == "aux_source_directory") {
      Name = Rest.Items.empty() ? "" : Rest.Items.back();
      New.Known = false;
    }
    auto Cache = std::find(New.Items.begin(), New.Items.end(), "CACHE");
    New.Items.erase(Cache, New.Items.end());
    Value& Old = Variables[Name];
    // Under a condition it may have either value.
    if (!Append && P.Depth == 0)
      Old = {};
    Old.Items.insert(Old.Items.end(), New.Items.begin(), New.Items.end());
    Old.Known &= New.Known;
  }

  void addTarget(const CMakePlace& P, const std::string& Name, const Value& Rest) {
    for (const char* NoCode : {"INTERFACE", "ALIAS", "IMPORTED"})
      if (std::count(Rest.Items.begin(), Rest.Items.end(), NoCode))
        return;
    // A name that isn't known can't be linked to.
    if (StringRef(Name).contains("${") || Out.target(Name))
      return;
    CMakeTarget T;
    T.Name = Name;
    T.Made = P;
    addSources(T, P.Directory, Rest);
    Out.Targets.push_back(std::move(T));
  }

  static void addSources(CMakeTarget& T, const std::string& Directory, const Value& Sources) {
    T.Unknown |= !Sources.Known;
    for (const std::string& Source : Sources.Items)
      T.Sources.insert(absolute(Directory, Source));
  }

  /// The arguments with variables replaced and lists split; what isn't known stays as it is
  /// written.
  static Value expand(const std::vector<CMakeArgument>& Arguments, const Scope& Variables) {
    Value Result;
    for (const CMakeArgument& A : Arguments) {
      std::string Text = A.Literal ? A.Text : replaceVariables(A.Text, Variables, Result.Known);
      llvm::SmallVector<StringRef> Items;
      StringRef(Text).split(Items, ';', -1, /*KeepEmpty=*/false);
      for (StringRef Item : Items)
        Result.Items.push_back(Item.str());
    }
    return Result;
  }

  static std::string replaceVariables(StringRef Text, const Scope& Variables, bool& Known) {
    std::string Out;
    for (;;) {
      auto [Before, Behind] = Text.split("${");
      Out += Before;
      size_t End = Behind.find('}');
      if (Before.size() == Text.size() || End == StringRef::npos)
        return Out;
      auto It = Variables.find(Behind.take_front(End).str());
      if (It == Variables.end()) {
        Known = false;
        Out += "${" + Behind.take_front(End + 1).str();
      } else {
        Known &= It->second.Known;
        for (size_t I = 0; I < It->second.Items.size(); ++I)
          Out += (I ? ";" : "") + It->second.Items[I];
      }
      Text = Behind.drop_front(End + 1);
    }
  }

  CMakeScripts& Out;
  std::string Root;
  std::set<std::string> Entered;
};

} // namespace

CMakeScripts readScripts(const std::string& Root, const std::string& Source) {
  CMakeScripts Out;
  Interpreter Read(Out, Root);
  std::vector<std::string> Folders;
  for (StringRef Folder = path::parent_path(Source);
       Folder == Root || Folder.starts_with(Root + "/"); Folder = path::parent_path(Folder))
    Folders.push_back(Folder.str());
  // From the top: a folder below is entered from there if it belongs there.
  for (auto It = Folders.rbegin(); It != Folders.rend(); ++It)
    Read.enter(*It, {});
  return Out;
}

} // namespace accel_rewrite
