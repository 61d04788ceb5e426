#include "cmake/FileApi.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace accel_rewrite {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
namespace json = llvm::json;

static std::optional<json::Value> load(const std::string& File) {
  auto Buffer = llvm::MemoryBuffer::getFile(File);
  if (!Buffer)
    return std::nullopt;
  llvm::Expected<json::Value> Value = json::parse((*Buffer)->getBuffer());
  if (!Value) {
    llvm::consumeError(Value.takeError());
    return std::nullopt;
  }
  return std::move(*Value);
}

/// The newest index: the last by name, as CMake says.
static std::string findIndex(const std::string& Reply) {
  std::string Last;
  std::error_code EC;
  for (fs::directory_iterator It(Reply, EC), End; It != End && !EC; It.increment(EC)) {
    llvm::StringRef Name = path::filename(It->path());
    if (Name.starts_with("index-") && Name.ends_with(".json") && It->path() > Last)
      Last = It->path();
  }
  return Last;
}

static std::string modelFile(const json::Value& Index) {
  const json::Object* Top = Index.getAsObject();
  const json::Array* Objects = Top ? Top->getArray("objects") : nullptr;
  if (Objects)
    for (const json::Value& One : *Objects)
      if (const json::Object* O = One.getAsObject(); O && O->getString("kind") == "codemodel")
        return O->getString("jsonFile").value_or("").str();
  return {};
}

/// The text of a member; empty where there is none.
static std::string textOf(const json::Object* O, llvm::StringRef Name) {
  return O ? O->getString(Name).value_or("").str() : std::string();
}

static void addSources(const json::Value& Target, const std::string& Top,
                       std::map<std::string, std::set<std::string>>& Out) {
  const json::Object* O = Target.getAsObject();
  const json::Array* Sources = O ? O->getArray("sources") : nullptr;
  std::string Name = textOf(O, "name");
  if (!Sources || Name.empty())
    return;
  for (const json::Value& One : *Sources)
    if (std::string Source = textOf(One.getAsObject(), "path"); !Source.empty()) {
      llvm::SmallString<256> Path(Source), Real;
      fs::make_absolute(Top, Path);
      Out[std::string(fs::real_path(Path, Real) ? Path : Real)].insert(Name);
    }
}

std::optional<std::map<std::string, std::set<std::string>>>
targetsBySource(const std::string& Build) {
  std::string Reply = Build + "/.cmake/api/v1/reply";
  std::optional<json::Value> Index = load(findIndex(Reply));
  std::optional<json::Value> Model;
  if (Index)
    Model = load(Reply + "/" + modelFile(*Index));
  const json::Object* Top = Model ? Model->getAsObject() : nullptr;
  const json::Object* Paths = Top ? Top->getObject("paths") : nullptr;
  const json::Array* Configurations = Top ? Top->getArray("configurations") : nullptr;
  std::string Source = textOf(Paths, "source");
  if (Source.empty() || !Configurations)
    return std::nullopt;
  std::map<std::string, std::set<std::string>> Out;
  for (const json::Value& Configuration : *Configurations) {
    const json::Object* O = Configuration.getAsObject();
    const json::Array* Targets = O ? O->getArray("targets") : nullptr;
    if (!Targets)
      continue;
    for (const json::Value& Target : *Targets)
      if (std::string File = textOf(Target.getAsObject(), "jsonFile"); !File.empty())
        if (auto Described = load(Reply + "/" + File))
          addSources(*Described, Source, Out);
  }
  return Out;
}

} // namespace accel_rewrite
