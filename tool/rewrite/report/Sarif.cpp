//===- Sarif.cpp - The outcome as SARIF 2.1.0 -----------------------------===//
#include "report/JsonReport.h"
#include "report/Report.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

using llvm::json::OStream;

namespace accel_rewrite {

namespace {

/// A path as a part of a URI.
std::string encoded(const std::string& Path) {
  std::string Out;
  for (char C : Path)
    if (llvm::isAlnum(C) || llvm::StringRef("/-._~+").contains(C))
      Out += C;
    else
      Out += "%" + llvm::toHex(llvm::StringRef(&C, 1));
  return Out;
}

class Sarif {
public:
  Sarif(const Outcome& Result, llvm::raw_ostream& Stream) : Result(Result), J(Stream, 2) {}

  void write() {
    J.object([&] {
      J.attribute("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
      J.attribute("version", "2.1.0");
      J.attributeArray("runs", [&] { J.object([&] { run(); }); });
    });
  }

private:
  void run() {
    J.attributeObject("tool", [&] {
      J.attributeObject("driver", [&] {
        J.attribute("name", "accel-rewrite");
        J.attribute("version", ACCEL_VERSION);
        J.attributeArray("rules", [&] { rules(); });
      });
    });
    J.attributeObject("originalUriBaseIds", [&] {
      J.attributeObject("ROOT",
                        [&] { J.attribute("uri", "file://" + encoded(Result.Root) + "/"); });
    });
    J.attribute("columnKind", "unicodeCodePoints");
    J.attributeArray("invocations", [&] { J.object([&] { invocation(); }); });
    J.attributeArray("results", [&] {
      for (const Diagnostic& D : inOrder(Result.Diagnostics))
        J.object([&] { result(D); });
    });
  }

  void rules() {
    std::set<std::string> Codes;
    for (const Diagnostic& D : Result.Diagnostics)
      Codes.insert(D.Code);
    for (const std::string& Code : Codes)
      J.object([&] {
        J.attribute("id", Code);
        J.attributeObject("defaultConfiguration",
                          [&] { J.attribute("level", Code < "AR100" ? "warning" : "note"); });
      });
  }

  void invocation() {
    J.attribute("executionSuccessful", Result.Errors.empty());
    J.attributeArray("toolExecutionNotifications", [&] {
      for (const std::string& Error : Result.Errors)
        J.object([&] {
          J.attribute("level", "error");
          message(Error);
        });
    });
  }

  void message(const std::string& Text) {
    J.attributeObject("message", [&] { J.attribute("text", llvm::json::fixUTF8(Text)); });
  }

  void result(const Diagnostic& D) {
    J.attribute("ruleId", D.Code);
    J.attribute("level", D.isRefusal() ? "warning" : "note");
    message(D.Message + (D.Remedy.empty() ? "" : "; " + D.Remedy));
    J.attributeArray("locations", [&] {
      J.object([&] { J.attributeObject("physicalLocation", [&] { location(D.Where); }); });
    });
    if (D.Loop.valid() && !(D.Loop == D.Where))
      J.attributeArray("relatedLocations", [&] {
        J.object([&] {
          J.attributeObject("physicalLocation", [&] { location(D.Loop); });
          message("the training loop");
        });
      });
  }

  void location(const Span& Where) {
    std::string Name = shown(Where.File, Result.Root);
    bool Below = Name != Where.File;
    J.attributeObject("artifactLocation", [&] {
      J.attribute("uri", (Below ? "" : "file://") + encoded(Name));
      if (Below)
        J.attribute("uriBaseId", "ROOT");
    });
    J.attributeObject("region", [&] {
      J.attribute("startLine", Where.Line);
      J.attribute("startColumn", Where.Column);
      J.attribute("byteOffset", Where.Begin);
      J.attribute("byteLength", Where.End - Where.Begin);
    });
  }

  const Outcome& Result;
  OStream J;
};

} // namespace

std::string sarifReport(const Outcome& Result) {
  std::string Text;
  llvm::raw_string_ostream Stream(Text);
  Sarif(Result, Stream).write();
  return Text + "\n";
}

} // namespace accel_rewrite
