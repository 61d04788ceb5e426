#include "report/JsonReport.h"
#include "report/Report.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using llvm::json::OStream;

namespace accel_rewrite {

namespace {

class Writer {
public:
  Writer(const Outcome& Result, llvm::raw_ostream& Stream) : Result(Result), J(Stream, 2) {}

  void write() {
    J.object([&] {
      J.attribute("version", 1);
      J.attributeObject("tool", [&] {
        J.attribute("name", "accel-rewrite");
        J.attribute("version", ACCEL_VERSION);
      });
      J.attribute("root", text(Result.Root));
      J.attributeArray("files", [&] { files(); });
      J.attributeArray("loops", [&] { loops(); });
      J.attributeArray("diagnostics", [&] { diagnostics(); });
      J.attributeArray("errors", [&] {
        for (const std::string& Error : Result.Errors)
          J.value(text(Error));
      });
      J.attributeObject("stats", [&] { stats(); });
    });
  }

private:
  static std::string text(const std::string& Bytes) { return llvm::json::fixUTF8(Bytes); }

  void files() {
    for (const auto& [Path, File] : Result.Files)
      J.object([&, &Path = Path, &File = File] {
        using State = Outcome::File::State;
        J.attribute("file", text(shown(Path, Result.Root)));
        J.attribute("named", File.Named);
        J.attribute("state", File.Read == State::Parsed      ? "parsed"
                             : File.Read == State::Broken    ? "broken"
                             : File.Read == State::NoCommand ? "no-command"
                                                             : "skipped");
        J.attribute("changed", File.Changed);
      });
  }

  void place(const Span& Where) {
    J.attribute("file", text(shown(Where.File, Result.Root)));
    J.attribute("line", Where.Line);
    J.attribute("column", Where.Column);
    J.attribute("offset", Where.Begin);
    J.attribute("length", Where.End - Where.Begin);
  }

  void loops() {
    for (const Span& Loop : Result.Loops)
      J.object([&] {
        place(Loop);
        J.attribute("status", Result.isConverted(Loop) ? "converted" : "refused");
        J.attributeArray("codes", [&] {
          for (const Diagnostic& D : Result.Diagnostics)
            if (D.Loop == Loop)
              J.value(D.Code);
        });
      });
  }

  void diagnostics() {
    for (const Diagnostic& D : inOrder(Result.Diagnostics))
      J.object([&] {
        J.attribute("code", D.Code);
        J.attribute("severity", D.isRefusal() ? "refusal" : "remark");
        place(D.Where);
        J.attribute("message", text(D.Message));
        J.attribute("remedy", text(D.Remedy));
      });
  }

  void stats() {
    J.attribute("units", static_cast<int64_t>(Result.Units));
    J.attribute("loops", static_cast<int64_t>(Result.Loops.size()));
    J.attribute("converted", static_cast<int64_t>(Result.convertedLoops()));
    J.attributeObject("seconds", [&] {
      for (const auto& [Stage, Seconds] : Result.Stages)
        J.attribute(Stage, Seconds);
    });
  }

  const Outcome& Result;
  OStream J;
};

} // namespace

std::string jsonReport(const Outcome& Result) {
  std::string Text;
  llvm::raw_string_ostream Stream(Text);
  Writer(Result, Stream).write();
  return Text + "\n";
}

} // namespace accel_rewrite
